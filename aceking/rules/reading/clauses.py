"""The text of a book: its clauses as the TOML has them, every word checked, no rule resolved yet.

Everything that is wrong is told at once: reading goes on after a fault, and the book is refused at the end.
"""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from aceking.rules.clause import Act, Anomaly, Breach, Clause, Option, OptionKind, Reference, Ruling, When
from aceking.rules.reading.complaints import BookError, Complaints, no_word, said
from aceking.rules.reading.did_you_mean import near
from aceking.rules.reading.inheritance import Heritage, Raw, inherited
from aceking.rules.reading.source import Shipped, Source, parsed
from aceking.rules.reading.table_reader import Part
from aceking.rules.reading.values import is_table, rule_of, rule_type, rule_types, side_types
from aceking.rules.rulings import RulingError, check_rulings
from aceking.rules.side_wagers import wrong_name
from aceking.rules.vocabulary import ALWAYS, SIDES, STEPS
from aceking.rules.words import ActName, Actor, Case, Circumstance, Condition, Mishap, Remedy, Window

HEADER = ("id", "title", "house", "version", "source", "currency", "decimals", "steps")
BOOK_KEYS = (*HEADER, "includes", "fixes", "clause", "anomaly")
#: What only a book has that starts from another.
HEIR_KEYS = ("from", "drops")
CLAUSE_KEYS = (
    *("id", "topic", "actor", "says", "set", "read", "option", "act", "ruling", "defines", "outside", "reading"),
    "refers",
)
OPTION_KEYS = ("name", "rule", "kind", "default", "values", "means", "floor")
ACT_KEYS = ("do", "by", "after", "case", "needs", "breach", "when")
RULING_KEYS = ("on", "during", "given", "then", "when")
ANOMALY_KEYS = Anomaly.__struct_fields__
REFERENCE_KEYS = ("to", "read", "external")

#: An id is a name, and never a path.
ID = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
_CURRENCY = re.compile(r"[A-Z]{3,5}")
_MOST_DECIMALS = 4
_SHORT = 300  # letters in a name or a title


@dataclass(frozen=True, slots=True)
class Setting:
    """A value that a clause gives to a rule, as the TOML has it."""

    key: str
    raw: Any
    clause: str


@dataclass(frozen=True, slots=True)
class BookText:
    """A book as written; `complaints` has what is wrong so far."""

    header: Mapping[str, Any]
    clauses: Mapping[str, Clause]
    anomalies: Mapping[str, Anomaly]
    options: Mapping[str, Option]
    settings: Mapping[str, Setting]
    tables: Mapping[str, str]  # the clause that sets a table of rows, by the table's key
    heritage: Heritage
    digest: str
    complaints: Complaints

    @property
    def id(self) -> str:
        """The book's id."""
        return str(self.header["id"])


def read_book(source: Source) -> BookText:
    """The text of a book, with what it includes and what it starts from."""
    raw, heritage, complaints = _whole(source, ())
    return _read(raw, heritage, complaints)


def book_text(raw: Mapping[str, Any]) -> BookText:
    """The text of a book from its parsed TOML, with nothing beside it."""
    complaints = Complaints(_name(raw))
    return _read(_framed(dict(raw), complaints), Heritage(), complaints)


def _name(raw: Mapping[str, Any]) -> str:
    name = raw.get("id")
    return name if isinstance(name, str) and ID.fullmatch(name) else "book without an id"


def _whole(source: Source, line: tuple[str, ...]) -> tuple[Raw, Heritage, Complaints]:
    """The frame of a book with what it includes, written out where it starts from another."""
    raw = parsed(source)
    complaints = Complaints(_name(raw))
    if source.place in line:
        raise BookError(f"{source.name}: the book starts from itself")
    framed = _framed(raw, complaints, heir="from" in raw)
    framed = _with_included(source, framed, complaints)
    if "from" not in raw:
        return framed, Heritage(), complaints
    name = raw["from"]
    if not isinstance(name, str) or not name.strip():
        complaints.add(f"{said(name)} is not the name of a book", "from")
        complaints.end()
    if "id" not in raw:
        complaints.add("an heir has an id of its own", "id")
        complaints.end()
    older, was, theirs = _whole(_older(source, name), (*line, source.place))
    theirs.end()
    for key in ("id", "clause"):
        if key not in older:
            complaints.add(f"{name} is no whole book: it has no {key}", "from")
            complaints.end()
    merged, heritage = inherited(older, was, framed, complaints)
    return merged, heritage, complaints


def _older(source: Source, name: str) -> Source:
    """A shipped book by its id, or a file beside the one that names it."""
    return source.beside(name) if name.endswith(".toml") else Shipped(f"{name}.toml")


def _with_included(source: Source, raw: Raw, complaints: Complaints) -> Raw:
    name = raw.get("includes")
    if name is None:
        return raw
    if not isinstance(name, str) or not name.strip():
        complaints.add(f"{said(name)} is not the name of a file", "includes")
        return raw
    shared = parsed(source.beside(name))
    for key in shared:
        if key not in ("clause", "anomaly"):
            complaints.add(f"{said(key)} is no part of a file that is included: it has clauses and anomalies", name)
    shared = _framed(shared, complaints, included=True)
    return {**raw, **{part: [*shared[part], *raw.get(part, [])] for part in ("clause", "anomaly")}}


def _framed(raw: Raw, complaints: Complaints, *, heir: bool = False, included: bool = False) -> Raw:
    """The frame of a book: lists of tables where there must be some; what is none is noted and left out."""
    framed = dict(raw)
    for part in ("clause", "anomaly"):
        if part not in raw:
            if included:
                framed[part] = []
            continue
        if not isinstance(raw[part], list):
            complaints.add(f"{said(raw[part])} is not a list of tables; write [[{part}]]", part)
            framed[part] = []
            continue
        for one in raw[part]:
            if not isinstance(one, dict) or not isinstance(one.get("id"), str) or not one["id"].strip():
                complaints.add(f"{said(one)} is not {part} with an id", part)
        framed[part] = [one for one in raw[part] if isinstance(one, dict) and isinstance(one.get("id"), str)]
    if "fixes" in raw and not isinstance(raw["fixes"], dict):
        complaints.add(f"{said(raw['fixes'])} is not a table of options", "fixes")
        framed["fixes"] = {}
    if "drops" in raw:
        drops = raw["drops"]
        if not heir:
            complaints.add("only a book that starts from another drops clauses of it", "drops")
        if not isinstance(drops, list) or not all(isinstance(one, str) for one in drops):
            complaints.add(f"{said(drops)} is not a list of clauses", "drops")
            framed["drops"] = []
    return framed


def _read(raw: Raw, heritage: Heritage, complaints: Complaints) -> BookText:
    """The clauses of a book that is written out, each word checked."""
    header = _header(raw, complaints)
    anomalies = _anomalies(raw, complaints)
    parser = _Parser(complaints, header["steps"], anomalies)
    for one in raw.get("clause", []):
        parser.clause(one)
    parser.check_choices()
    for name in header["fixes"]:
        if name not in parser.options:
            complaints.add(f"there is no option {said(name)}{near(name, parser.options)}", "fixes")
    try:
        check_rulings(parser.clauses)
    except RulingError as tie:
        complaints.add(str(tie))
    canonical = json.dumps(raw, sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=str)
    return BookText(
        header=header,
        clauses=parser.clauses,
        anomalies=anomalies,
        options=parser.options,
        settings=parser.settings,
        tables=parser.tables,
        heritage=heritage,
        digest=hashlib.sha256(canonical.encode(errors="surrogatepass")).hexdigest(),
        complaints=complaints,
    )


def _header(raw: Raw, complaints: Complaints) -> dict[str, Any]:
    for key in HEADER:
        if key not in raw:
            complaints.add(f"the header has no {key}")
    part = Part(raw, BOOK_KEYS, complaints, what="a book")
    header: dict[str, Any] = {key: part.text(key, most=_SHORT) for key in ("title", "house", "version", "source")}
    for key, form, says in (
        ("id", ID, "lower-case letters, digits and hyphens, as in 'my-house'"),
        ("currency", _CURRENCY, "three to five capitals, as in 'EUR'"),
    ):
        header[key] = part.text(key, most=_SHORT)
        if key in raw and not form.fullmatch(header[key]):
            part.no(f"{said(raw[key])} is not {says}", key)
    header["decimals"] = part.number("decimals", 0, _MOST_DECIMALS) if "decimals" in raw else 0
    steps = part.texts("steps")
    for place, step in enumerate(steps):
        if step not in STEPS:
            part.no(f"{said(step)} is not a step{near(step, STEPS)}", "steps")
        elif step in steps[:place]:
            part.no(f"{step} stands there twice", "steps")
    for step in ALWAYS:
        if "steps" in raw and step not in steps:
            part.no(f"every book has the step {step!r}", "steps")
    return {
        **header,
        "steps": tuple(one for one in dict.fromkeys(steps) if one in STEPS),
        "fixes": raw.get("fixes", {}),
    }


def _anomalies(raw: Raw, complaints: Complaints) -> dict[str, Anomaly]:
    found: dict[str, Anomaly] = {}
    for one in raw.get("anomaly", []):
        name = str(one["id"])
        part = Part(one, ANOMALY_KEYS, complaints, name, what="an anomaly")
        if name in found:
            part.no("the book has this anomaly twice")
        texts = {key: part.text(key, needed=key != "why") for key in ("where", "problem", "reading", "why")}
        found[name] = Anomaly(id=name, open=part.flag("open", needed=True), **texts)
    return found


class _Parser:
    """Reads one clause after another and remembers who set what."""

    def __init__(self, complaints: Complaints, steps: tuple[str, ...], anomalies: Mapping[str, Anomaly]) -> None:
        self.complaints = complaints
        self.steps = steps
        self.anomalies = anomalies
        self.clauses: dict[str, Clause] = {}
        self.options: dict[str, Option] = {}
        self.settings: dict[str, Setting] = {}
        self.tables: dict[str, str] = {}
        self.conditional: list[tuple[str, str, tuple[str, ...]]] = []

    def clause(self, raw: Raw) -> None:
        """Takes one clause, and notes what is wrong with it."""
        name = str(raw["id"])
        part = Part(raw, CLAUSE_KEYS, self.complaints, name, what="a clause")
        if name in self.clauses:
            part.no("the book has this clause twice")
        topic, says = part.text("topic", needed=True, most=_SHORT), part.text("says", needed=True)
        actor = part.word("actor", Actor)
        if not any(raw.get(key) for key in ("set", "read", "option", "act", "ruling", "defines", "outside")):
            part.no("it neither sets nor governs anything, and does not say why it is outside")
        readings = part.texts("reading")
        if raw.get("read") and not readings:
            part.no("it reads a rule into the text and names no anomaly")
        for reading in readings:
            if reading not in self.anomalies:
                part.no(f"there is no anomaly {reading}{near(reading, self.anomalies)}", "reading")
        options = [one for raw_one in part.items("option") if (one := self._option(name, raw_one)) is not None]
        sets = [*self._settings(name, part.table("set"))]
        reads = [*self._settings(name, part.table("read"))]
        acts = [self._act(name, one) for one in part.items("act")]
        rulings = [self._ruling(name, one) for one in part.items("ruling")]
        self.clauses[name] = Clause(
            id=name,
            topic=topic,
            actor=actor,
            says=says,
            sets=(*sets, *reads, *(one.rule for one in options)),
            reads=tuple(reads),
            defines=part.texts("defines"),
            acts=tuple(one for one in acts if one is not None),
            rulings=tuple(one for one in rulings if one is not None),
            outside=part.text("outside") or None,
            readings=readings,
            options=tuple(one.name for one in options),
            refers=tuple(self._reference(name, one) for one in part.items("refers")),
        )

    def _settings(self, clause: str, raw: Mapping[str, Any]) -> Iterator[str]:
        for step, rules in raw.items():
            if not isinstance(rules, Mapping):
                self._no(clause, f"{said(rules)} is not a table of rules", step)
                continue
            if step == SIDES:
                yield from self._sides(clause, rules)
            else:
                yield from self._rules(clause, step, rules)

    def _sides(self, clause: str, raw: Mapping[str, Any]) -> Iterator[str]:
        """The rules of named side wagers."""
        for name, rules in raw.items():
            if says := wrong_name(name):
                self._no(clause, f"{said(name)}: {says}", SIDES)
            elif not isinstance(rules, Mapping):
                self._no(clause, f"{said(rules)} is not a table of rules", f"{SIDES}.{name}")
            else:
                yield from self._rules(clause, f"{SIDES}.{name}", rules)

    def _rules(self, clause: str, section: str, rules: Mapping[str, Any]) -> Iterator[str]:
        for field, value in rules.items():
            key = f"{section}.{field}"
            kind = self._rule_type(clause, key)
            if kind is None:
                continue
            if not is_table(kind):
                self._set(Setting(key, value, clause))
                yield key
                continue
            if not isinstance(value, dict):
                self._no(clause, f"{key} is a table of rows, not {said(value)}")
                continue
            self.tables.setdefault(key, clause)
            for row, odds in value.items():
                self._set(Setting(f"{key}.{row}", odds, clause))
                yield f"{key}.{row}"
            if not value:
                yield key

    def _set(self, setting: Setting) -> None:
        earlier = self.settings.setdefault(setting.key, setting)
        if earlier is not setting:
            self._no(setting.clause, f"it sets {setting.key}, which {earlier.clause} sets already")

    def _rule_type(self, clause: str, key: str) -> Any:
        kind, step = rule_type(key), key.split(".")[0]
        if kind is None:
            name = key.rpartition(".")[0]
            known = [f"{name}.{one}" for one in side_types()] if step == SIDES else rule_types()
            self._no(clause, f"{key} is not a rule{near(key, known)}")
            return None
        if step not in (*self.steps, SIDES):
            self._no(clause, f"it sets {key}, and no step of the book uses it")
            return None
        return kind

    def _option(self, clause: str, raw: Any) -> Option | None:
        part = Part(raw, OPTION_KEYS, self.complaints, clause, what="an option")
        for key in ("name", "rule", "default"):
            if key not in part:
                part.no(f"an option has no {key}")
        name, rule = part.text("name", most=_SHORT), part.text("rule", most=_SHORT)
        if name in self.options:
            part.no(f"the option {name} is in {self.options[name].clause} already")
        kind = part.word("kind", OptionKind, default="choice")
        means, floor = part.table("means"), part.table("floor")
        values = part.texts("values")
        for word in means:
            if word not in values:
                part.no(f"{said(word)} is none of its values{near(word, values)}", f"{name}.means")
        for key, least in floor.items():
            if key not in ("amount", "share", "number"):
                part.no(no_word(key, ("amount", "share", "number")), f"{name}.floor")
            elif not isinstance(least, str):
                part.no(f"{said(least)} is not a text", f"{name}.floor.{key}")
        if kind == "choice" and not values:
            part.no("an option that is a choice has values", name)
        if part.wrong or self._rule_type(clause, rule_of(rule)) is None:
            return None
        option = Option(
            name=name,
            clause=clause,
            rule=rule,
            kind=kind,
            default=part.get("default"),
            values=values,
            means=means,
            floor=floor,
        )
        # Rows of a table may be set by the text and raised by an option; any other rule has one source.
        if option.kind not in ("pays", "award", "awards"):
            self._set(Setting(rule, option, clause))
        self.options[name] = option
        return option

    def _act(self, clause: str, raw: Any) -> Act | None:
        part = Part(raw, ACT_KEYS, self.complaints, clause, what="act")
        act = Act(
            do=part.word("do", ActName),
            by=part.word("by", Actor),
            after=part.words("after", ActName),
            case=part.words("case", Case),
            needs=part.words("needs", Condition),
            breach=self._breach(part),
            when=self._when(clause, part),
        )
        return None if part.wrong else act

    def _breach(self, part: Part) -> Breach | None:
        """What a breach means: said where something is demanded, and nowhere else."""
        if part.get("after") or part.get("needs"):
            found: Breach = part.word("breach", Breach)
            return found
        if "breach" in part:
            part.no(f"{part.get('do')} demands nothing that could be breached")
        return None

    def _ruling(self, clause: str, raw: Any) -> Ruling | None:
        part = Part(raw, RULING_KEYS, self.complaints, clause, what="ruling")
        ruling = Ruling(
            on=part.word("on", Mishap),
            during=part.words("during", Window),
            given=part.words("given", Circumstance),
            then=part.word("then", Remedy),
            when=self._when(clause, part),
        )
        return None if part.wrong else ruling

    def _when(self, clause: str, part: Part) -> When:
        """The choices of the house on which something depends; that they exist is checked when all are known."""
        found = []
        for option, values in part.table("when").items():
            allowed = (values,) if isinstance(values, str) else tuple(values) if isinstance(values, list) else ()
            if not allowed or not all(isinstance(one, str) for one in allowed):
                part.no(f"{said(values)} is neither a value of an option nor a list of such", f"when.{option}")
                continue
            self.conditional.append((clause, option, allowed))
            found.append((option, allowed))
        return tuple(found)

    def check_choices(self) -> None:
        """Whatever depends on a choice of the house names an option of the book, and values that it can have."""
        for clause, name, values in self.conditional:
            option = self.options.get(name)
            if option is None:
                self._no(clause, f"it depends on {name!r}, and there is no such option{near(name, self.options)}")
                continue
            for value in values:
                if value not in option.values:
                    self._no(clause, f"{name} is never {value!r}{near(value, option.values)}")

    def _reference(self, clause: str, raw: Any) -> Reference:
        if isinstance(raw, str):
            return Reference(to=raw, read=None, external=False)
        part = Part(raw, REFERENCE_KEYS, self.complaints, clause, what="a reference")
        return Reference(
            to=part.text("to", needed=True), read=part.text("read") or None, external=part.flag("external")
        )

    def _no(self, clause: str, says: str, key: str | None = None) -> None:
        self.complaints.add(says, clause, key)
