"""A group of commands that answers an unknown command with those that there are."""

import click


class Group(click.Group):
    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Raise a usage error with the nearest command if there is no command of that name."""
        known = self.list_commands(ctx)
        if args and args[0] not in known and not args[0].startswith("-") and not ctx.resilient_parsing:
            from aceking.rules.reading.did_you_mean import suggestion

            raise click.UsageError(
                f"there is no command {args[0]!r}; there are {', '.join(known)}{suggestion(args[0], known)}"
            )
        return super().resolve_command(ctx, args)
