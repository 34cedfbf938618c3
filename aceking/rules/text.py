"""The text of a book: its clauses as the TOML has them, every word checked, no rule resolved yet."""

import hashlib
import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from typing import Any, cast, get_args

from aceking.rules.clause import Act, Anomaly, Breach, Clause, Option, OptionKind, Reference, Ruling, When
from aceking.rules.near import near
from aceking.rules.rulings import RulingError, check_rulings
from aceking.rules.values import is_table, rule_types
from aceking.rules.vocabulary import ALWAYS, STEPS
from aceking.rules.words import ActName, Actor, Case, Circumstance, Condition, Mishap, Remedy, Window

HEADER = ("id", "title", "house", "version", "source", "currency", "decimals", "steps")
CLAUSE_KEYS = (
    *("id", "topic", "actor", "says", "set", "read", "option", "act", "ruling", "defines", "outside", "reading"),
    "refers",
)


class BookError(ValueError):
    """A book that cannot be taken, with the clause that is at fault."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A value that a clause gives to a rule, as the TOML has it."""

    key: str
    raw: Any
    clause: str


@dataclass(frozen=True, slots=True)
class BookText:
    """A book as written."""

    header: Mapping[str, Any]
    clauses: Mapping[str, Clause]
    anomalies: Mapping[str, Anomaly]
    options: Mapping[str, Option]
    settings: Mapping[str, Setting]
    tables: Mapping[str, str]  # the clause that sets a table of rows, by the table's key
    digest: str

    @property
    def id(self) -> str:
        """The book's id."""
        return str(self.header["id"])


def read_book(file: Traversable) -> BookText:
    """The text in a TOML file, with what it includes."""
    raw = _toml(file)
    if "includes" in raw:
        shared = _toml(_beside(file, raw["includes"]))
        for part in ("clause", "anomaly"):
            raw[part] = [*shared.get(part, []), *raw.get(part, [])]
    return book_text(raw)


def book_text(raw: Mapping[str, Any]) -> BookText:
    """The text of a book from its parsed TOML."""
    book = str(raw.get("id", "book without an id"))
    for key in HEADER:
        if key not in raw:
            raise BookError(f"{book}: the header has no {key}")
    for key in set(raw) - {*HEADER, "includes", "fixes", "clause", "anomaly"}:
        raise BookError(f"{book}: {key!r} is no part of a book")
    for step in raw["steps"]:
        if step not in STEPS:
            raise BookError(f"{book}: {step!r} is not a step{near(step, STEPS)}")
    for step in ALWAYS:
        if step not in raw["steps"]:
            raise BookError(f"{book}: every book has the step {step!r}")
    parser = _Parser(book, raw["steps"], {one["id"] for one in raw.get("anomaly", [])})
    for one in raw.get("clause", []):
        parser.clause(one)
    parser.check_choices()
    try:
        check_rulings(parser.clauses)
    except RulingError as tie:
        raise BookError(f"{book}: {tie}") from None
    canonical = json.dumps(raw, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return BookText(
        header={key: raw[key] for key in HEADER} | {"fixes": raw.get("fixes", {})},
        clauses=parser.clauses,
        anomalies={one["id"]: Anomaly(**one) for one in raw.get("anomaly", [])},
        options=parser.options,
        settings=parser.settings,
        tables=parser.tables,
        digest=hashlib.sha256(canonical.encode()).hexdigest(),
    )


class _Parser:
    """Reads one clause after another and remembers who set what."""

    def __init__(self, book: str, steps: list[str], anomalies: set[str]) -> None:
        self.book = book
        self.steps = steps
        self.anomalies = anomalies
        self.clauses: dict[str, Clause] = {}
        self.options: dict[str, Option] = {}
        self.settings: dict[str, Setting] = {}
        self.tables: dict[str, str] = {}
        self.conditional: list[tuple[str, str, tuple[str, ...]]] = []

    def clause(self, raw: Mapping[str, Any]) -> None:
        """Takes one clause, or says what is wrong with it."""
        name = str(raw.get("id", "a clause without an id"))
        if name in self.clauses:
            raise self._error(name, "the book has this clause twice")
        for key in raw:
            if key not in CLAUSE_KEYS:
                raise self._error(name, f"{key!r} is no part of a clause{near(key, CLAUSE_KEYS)}")
        for key in ("topic", "actor", "says"):
            if not raw.get(key):
                raise self._error(name, f"it has no {key}")
        if not any(raw.get(key) for key in ("set", "read", "option", "act", "ruling", "defines", "outside")):
            raise self._error(name, "it neither sets nor governs anything, and does not say why it is outside")
        if raw.get("read") and not raw.get("reading"):
            raise self._error(name, "it reads a rule into the text and names no anomaly")
        for reading in raw.get("reading", []):
            if reading not in self.anomalies:
                raise self._error(name, f"there is no anomaly {reading}")
        options = [self._option(name, one) for one in raw.get("option", [])]
        sets = [*self._settings(name, raw.get("set", {}))]
        reads = [*self._settings(name, raw.get("read", {}))]
        self.clauses[name] = Clause(
            id=name,
            topic=raw["topic"],
            actor=self._word(name, Actor, raw["actor"]),
            says=raw["says"],
            sets=(*sets, *reads, *(one.rule for one in options)),
            reads=tuple(reads),
            defines=tuple(raw.get("defines", [])),
            acts=tuple(self._act(name, one) for one in raw.get("act", [])),
            rulings=tuple(self._ruling(name, one) for one in raw.get("ruling", [])),
            outside=raw.get("outside"),
            readings=tuple(raw.get("reading", [])),
            options=tuple(one.name for one in options),
            refers=tuple(_reference(one) for one in raw.get("refers", [])),
        )

    def _settings(self, clause: str, raw: Mapping[str, Any]) -> Iterator[str]:
        for step, rules in raw.items():
            for field, value in rules.items():
                key = f"{step}.{field}"
                kind = self._rule_type(clause, key)
                if not is_table(kind):
                    self._set(Setting(key, value, clause))
                    yield key
                    continue
                if not isinstance(value, dict):
                    raise self._error(clause, f"{key} is a table of rows, not {value!r}")
                self.tables.setdefault(key, clause)
                for row, odds in value.items():
                    self._set(Setting(f"{key}.{row}", odds, clause))
                    yield f"{key}.{row}"
                if not value:
                    yield key

    def _set(self, setting: Setting) -> None:
        earlier = self.settings.setdefault(setting.key, setting)
        if earlier is not setting:
            raise self._error(setting.clause, f"it sets {setting.key}, which {earlier.clause} sets already")

    def _rule_type(self, clause: str, key: str) -> Any:
        kinds = rule_types()
        if key not in kinds:
            raise self._error(clause, f"{key} is not a rule{near(key, kinds)}")
        if key.split(".")[0] not in self.steps:
            raise self._error(clause, f"it sets {key}, and no step of the book uses it")
        return kinds[key]

    def _option(self, clause: str, raw: Mapping[str, Any]) -> Option:
        for key in ("name", "rule", "default"):
            if key not in raw:
                raise self._error(clause, f"an option has no {key}")
        name = raw["name"]
        if name in self.options:
            raise self._error(clause, f"the option {name} is in {self.options[name].clause} already")
        rule = raw["rule"]
        self._rule_type(clause, ".".join(rule.split(".")[:2]))
        option = Option(
            name=name,
            clause=clause,
            rule=rule,
            kind=self._word(clause, OptionKind, raw.get("kind", "choice")),
            default=raw["default"],
            values=tuple(raw.get("values", [])),
            means=raw.get("means", {}),
            floor=raw.get("floor", {}),
        )
        # Rows of a table may be set by the text and raised by an option; any other rule has one source.
        if option.kind not in ("pays", "award", "awards"):
            self._set(Setting(rule, option, clause))
        self.options[name] = option
        return option

    def _act(self, clause: str, raw: Mapping[str, Any]) -> Act:
        self._keys(clause, "act", raw, ("do", "by", "after", "case", "needs", "breach", "when"))
        return Act(
            do=self._word(clause, ActName, raw.get("do")),
            by=self._word(clause, Actor, raw.get("by")),
            after=tuple(self._word(clause, ActName, one) for one in raw.get("after", [])),
            case=tuple(self._word(clause, Case, one) for one in raw.get("case", [])),
            needs=tuple(self._word(clause, Condition, one) for one in raw.get("needs", [])),
            breach=self._breach(clause, raw),
            when=self._when(clause, raw.get("when", {})),
        )

    def _breach(self, clause: str, raw: Mapping[str, Any]) -> Breach | None:
        """What a breach means: said where something is demanded, and nowhere else."""
        if raw.get("after") or raw.get("needs"):
            return cast("Breach", self._word(clause, Breach, raw.get("breach")))
        if "breach" in raw:
            raise self._error(clause, f"{raw.get('do')} demands nothing that could be breached")
        return None

    def _ruling(self, clause: str, raw: Mapping[str, Any]) -> Ruling:
        self._keys(clause, "ruling", raw, ("on", "during", "given", "then", "when"))
        return Ruling(
            on=self._word(clause, Mishap, raw.get("on")),
            during=tuple(self._word(clause, Window, one) for one in raw.get("during", [])),
            given=tuple(self._word(clause, Circumstance, one) for one in raw.get("given", [])),
            then=self._word(clause, Remedy, raw.get("then")),
            when=self._when(clause, raw.get("when", {})),
        )

    def _when(self, clause: str, raw: Mapping[str, Any]) -> When:
        """The choices of the house on which something depends; that they exist is checked when all are known."""
        found = []
        for option, values in raw.items():
            allowed = (values,) if isinstance(values, str) else tuple(values)
            self.conditional.append((clause, option, allowed))
            found.append((option, allowed))
        return tuple(found)

    def check_choices(self) -> None:
        """Whatever depends on a choice of the house names an option of the book, and values that it can have."""
        for clause, name, values in self.conditional:
            option = self.options.get(name)
            if option is None:
                raise self._error(
                    clause, f"it depends on {name!r}, and there is no such option{near(name, self.options)}"
                )
            for value in values:
                if value not in option.values:
                    raise self._error(clause, f"{name} is never {value!r}{near(value, option.values)}")

    def _keys(self, clause: str, part: str, raw: Mapping[str, Any], allowed: tuple[str, ...]) -> None:
        for key in raw:
            if key not in allowed:
                raise self._error(clause, f"{key!r} is no part of {part}")

    def _word(self, clause: str, words: Any, word: Any) -> Any:
        if word not in get_args(words):
            raise self._error(clause, f"{word!r} is not a word of the vocabulary{near(word, get_args(words))}")
        return word

    def _error(self, clause: str, problem: str) -> BookError:
        return BookError(f"{self.book}: {clause}: {problem}")


def _reference(raw: str | Mapping[str, Any]) -> Reference:
    if isinstance(raw, str):
        return Reference(to=raw, read=None, external=False)
    return Reference(to=raw["to"], read=raw.get("read"), external=raw.get("external", False))


def _toml(file: Traversable) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        raise BookError(f"{file}: there is no such file") from None
    except OSError as failed:
        raise BookError(f"{file}: {failed.strerror}") from None
    except UnicodeDecodeError:
        raise BookError(f"{file}: a book is a text in UTF-8") from None
    except tomllib.TOMLDecodeError as broken:
        raise BookError(f"{file.name}: {broken}") from None


def _beside(file: Traversable, name: str) -> Traversable:
    from importlib.resources import files
    from pathlib import Path

    if isinstance(file, Path):
        return file.parent / name
    return files("aceking.books") / name
