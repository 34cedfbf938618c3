"""Read the clauses of a book from its TOML and check every word; rules are resolved in `load`.

Reading goes on after a fault, so that a refused book is refused with all of its faults.
"""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from aceking.rules.clause import Anomaly, Breach, Clause, ClauseAct, Option, OptionKind, Reference, Ruling, When
from aceking.rules.reading.complaints import BookError, Complaints, short_repr, unknown_word
from aceking.rules.reading.did_you_mean import suggestion
from aceking.rules.reading.inheritance import Heritage, RawTable, inherited
from aceking.rules.reading.source import Shipped, Source, parsed, shipped_books
from aceking.rules.reading.table_reader import TableReader
from aceking.rules.reading.values import is_table, rule_of, rule_type, rule_types, side_types
from aceking.rules.rulings import RulingError, check_rulings
from aceking.rules.side_wagers import wrong_name
from aceking.rules.vocabulary import ALWAYS, SIDES, STEPS
from aceking.rules.words import ActName, Actor, CaseWord, Circumstance, Condition, Mishap, Remedy, Window

HEADER = ("id", "title", "house", "version", "source", "currency", "decimals", "steps")
BOOK_KEYS = (*HEADER, "includes", "fixes", "clause", "anomaly")
#: Keys that only a book with `from` may have.
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

#: Characters of the id of a clause or an anomaly: it stands in every line of money.
_ID_MOST = 80
#: An id is a name, and never a path.
ID = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
_CURRENCY = re.compile(r"[A-Z]{3,5}")
_MOST_DECIMALS = 4
_SHORT = 300  # characters in a name or a title


@dataclass(frozen=True, slots=True)
class Setting:
    """A value that a clause gives to a rule, as the TOML has it."""

    key: str
    raw: Any
    clause: str


@dataclass(frozen=True, slots=True)
class BookText:
    """The checked text of a book; `complaints` has what is wrong so far."""

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
        return str(self.header["id"])


def read_book(source: Source) -> BookText:
    """Read a book with the file that it includes and the book that it starts from. Raises BookError."""
    raw, heritage, complaints = _assembled(source, ())
    return _read(raw, heritage, complaints)


def _name(raw: Mapping[str, Any]) -> str:
    name = raw.get("id")
    return name if isinstance(name, str) and ID.fullmatch(name) else "book without an id"


def _assembled(source: Source, heirs: tuple[str, ...]) -> tuple[RawTable, Heritage, Complaints]:
    """Return the tables of a book with those it includes and inherits. `heirs` are the books that start from it."""
    raw = parsed(source)
    complaints = Complaints(_name(raw))
    if source.place in heirs:
        raise BookError(f"{source.name}: the book starts from itself")
    own = _with_lists(raw, complaints, heir="from" in raw)
    own = _with_included(source, own, complaints)
    if "from" not in raw:
        return own, Heritage(), complaints
    name = raw["from"]
    if not isinstance(name, str) or not name.strip():
        complaints.add(f"{short_repr(name)} is not the name of a book", "from")
        complaints.raise_any()
    if "id" not in raw:
        complaints.add("a book that starts from another has an id of its own", "id")
        complaints.raise_any()
    if not name.endswith(".toml") and name not in (known := shipped_books()):
        complaints.add(f"there is no book {name!r}; there are {', '.join(known)}{suggestion(name, known)}", "from")
        complaints.raise_any()
    older, older_heritage, older_complaints = _assembled(_older(source, name), (*heirs, source.place))
    older_complaints.raise_any()
    for key in ("id", "clause"):
        if key not in older:
            complaints.add(f"{name} is not a whole book: it has no {key}", "from")
            complaints.raise_any()
    merged, heritage = inherited(older, older_heritage, own, complaints)
    return merged, heritage, complaints


def _older(source: Source, name: str) -> Source:
    """Return the source of the book that `from` names: a shipped book by its id, or a file beside this one."""
    return source.beside(name) if name.endswith(".toml") else Shipped(f"{name}.toml")


def _with_included(source: Source, raw: RawTable, complaints: Complaints) -> RawTable:
    name = raw.get("includes")
    if name is None:
        return raw
    if not isinstance(name, str) or not name.strip():
        complaints.add(f"{short_repr(name)} is not the name of a file", "includes")
        return raw
    shared = parsed(source.beside(name))
    for key in shared:
        if key not in ("clause", "anomaly"):
            complaints.add(f"an included file has no key {short_repr(key)}; it has clause and anomaly", name)
    shared = _with_lists(shared, complaints, included=True)
    return {**raw, **{part: [*shared[part], *raw.get(part, [])] for part in ("clause", "anomaly")}}


def _with_lists(raw: RawTable, complaints: Complaints, *, heir: bool = False, included: bool = False) -> RawTable:
    """Check the lists of a book. Entries of the wrong type are complained of and left out."""
    checked = dict(raw)
    for part in ("clause", "anomaly"):
        if part not in raw:
            if included:
                checked[part] = []
            continue
        if not isinstance(raw[part], list):
            complaints.add(f"{short_repr(raw[part])} is not a list of tables; write [[{part}]]", part)
            checked[part] = []
            continue
        for entry in raw[part]:
            if not isinstance(entry, dict) or not isinstance(entry.get("id"), str) or not entry["id"].strip():
                complaints.add(f"{short_repr(entry)} is not a {part} with an id", part)
            elif len(entry["id"]) > _ID_MOST or not entry["id"].isprintable():
                complaints.add(f"the id {short_repr(entry['id'])} is not of 1 to {_ID_MOST} printable characters", part)
        checked[part] = [one for one in raw[part] if isinstance(one, dict) and isinstance(one.get("id"), str)]
    if "fixes" in raw and not isinstance(raw["fixes"], dict):
        complaints.add(f"{short_repr(raw['fixes'])} is not a table of options", "fixes")
        checked["fixes"] = {}
    if "drops" in raw:
        drops = raw["drops"]
        if not heir:
            complaints.add("only a book that starts from another can drop clauses", "drops")
        if not isinstance(drops, list) or not all(isinstance(one, str) for one in drops):
            complaints.add(f"{short_repr(drops)} is not a list of clauses", "drops")
            checked["drops"] = []
    return checked


def _read(raw: RawTable, heritage: Heritage, complaints: Complaints) -> BookText:
    """Check every word of an assembled book."""
    header = _header(raw, complaints)
    anomalies = _anomalies(raw, complaints)
    parser = _Parser(complaints, header["steps"], anomalies)
    for clause in raw.get("clause", []):
        parser.clause(clause)
    parser.check_choices()
    for name in header["fixes"]:
        if name not in parser.options:
            complaints.add(f"there is no option {short_repr(name)}{suggestion(name, parser.options)}", "fixes")
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


def _header(raw: RawTable, complaints: Complaints) -> dict[str, Any]:
    for key in HEADER:
        if key not in raw:
            complaints.add(f"the header has no {key}")
    part = TableReader(raw, BOOK_KEYS, complaints, what="a book")
    header: dict[str, Any] = {key: part.text(key, most=_SHORT) for key in ("title", "house", "version", "source")}
    for key, form, says in (
        ("id", ID, "lower-case letters, digits and hyphens, as in 'my-house'"),
        ("currency", _CURRENCY, "three to five capitals, as in 'EUR'"),
    ):
        header[key] = part.text(key, most=_SHORT)
        if key in raw and not form.fullmatch(header[key]):
            part.complain(f"{short_repr(raw[key])} is not {says}", key)
    header["decimals"] = part.number("decimals", 0, _MOST_DECIMALS) if "decimals" in raw else 0
    steps = part.texts("steps")
    for place, step in enumerate(steps):
        if step not in STEPS:
            part.complain(f"{short_repr(step)} is not a step{suggestion(step, STEPS)}", "steps")
        elif step in steps[:place]:
            part.complain(f"{step} stands there twice", "steps")
    for step in ALWAYS:
        if "steps" in raw and step not in steps:
            part.complain(f"every book has the step {step!r}", "steps")
    return {
        **header,
        "steps": tuple(one for one in dict.fromkeys(steps) if one in STEPS),
        "fixes": raw.get("fixes", {}),
    }


def _anomalies(raw: RawTable, complaints: Complaints) -> dict[str, Anomaly]:
    anomalies: dict[str, Anomaly] = {}
    for entry in raw.get("anomaly", []):
        name = str(entry["id"])
        part = TableReader(entry, ANOMALY_KEYS, complaints, name, what="an anomaly")
        if name in anomalies:
            part.complain("the book has this anomaly twice")
        texts = {key: part.text(key, needed=key != "why") for key in ("where", "problem", "reading", "why")}
        anomalies[name] = Anomaly(id=name, open=part.flag("open", needed=True), **texts)
    return anomalies


class _Parser:
    """Reads one clause after another and keeps which clause set which rule."""

    def __init__(self, complaints: Complaints, steps: tuple[str, ...], anomalies: Mapping[str, Anomaly]) -> None:
        self.complaints = complaints
        self.steps = steps
        self.anomalies = anomalies
        self.clauses: dict[str, Clause] = {}
        self.options: dict[str, Option] = {}
        self.settings: dict[str, Setting] = {}
        self.tables: dict[str, str] = {}
        self.conditional: list[tuple[str, str, tuple[str, ...]]] = []

    def clause(self, raw: RawTable) -> None:
        """Add one clause, or complain of what is wrong with it."""
        name = str(raw["id"])
        part = TableReader(raw, CLAUSE_KEYS, self.complaints, name, what="a clause")
        if name in self.clauses:
            part.complain("the book has this clause twice")
        topic, says = part.text("topic", needed=True, most=_SHORT), part.text("says", needed=True)
        actor = part.word("actor", Actor)
        if not any(raw.get(key) for key in ("set", "read", "option", "act", "ruling", "defines", "outside")):
            part.complain("it neither sets nor governs anything, and does not say why it is outside")
        readings = part.texts("reading")
        if raw.get("read") and not readings:
            part.complain("it reads a rule into the text and names no anomaly")
        for reading in readings:
            if reading not in self.anomalies:
                part.complain(f"there is no anomaly {reading}{suggestion(reading, self.anomalies)}", "reading")
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
                self._complain(clause, f"{short_repr(rules)} is not a table of rules", step)
                continue
            if step == SIDES:
                yield from self._sides(clause, rules)
            else:
                yield from self._rules(clause, step, rules)

    def _sides(self, clause: str, raw: Mapping[str, Any]) -> Iterator[str]:
        """Set the rules of named side wagers and yield their keys."""
        for name, rules in raw.items():
            if says := wrong_name(name):
                self._complain(clause, f"{short_repr(name)}: {says}", SIDES)
            elif not isinstance(rules, Mapping):
                self._complain(clause, f"{short_repr(rules)} is not a table of rules", f"{SIDES}.{name}")
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
                self._complain(clause, f"{key} is a table of rows, not {short_repr(value)}")
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
            self._complain(setting.clause, f"it sets {setting.key}, which {earlier.clause} sets already")

    def _rule_type(self, clause: str, key: str) -> Any:
        kind, step = rule_type(key), key.split(".")[0]
        if kind is None:
            name = key.rpartition(".")[0]
            known = [f"{name}.{one}" for one in side_types()] if step == SIDES else rule_types()
            self._complain(clause, f"{key} is not a rule{suggestion(key, known)}")
            return None
        if step not in (*self.steps, SIDES):
            self._complain(clause, f"it sets {key}, and no step of the book uses it")
            return None
        return kind

    def _option(self, clause: str, raw: Any) -> Option | None:
        part = TableReader(raw, OPTION_KEYS, self.complaints, clause, what="an option")
        for key in ("name", "rule", "default"):
            if key not in part:
                part.complain(f"an option has no {key}")
        name, rule = part.text("name", most=_SHORT), part.text("rule", most=_SHORT)
        if name in self.options:
            part.complain(f"the option {name} is in {self.options[name].clause} already")
        kind = part.word("kind", OptionKind, default="choice")
        means, floor = part.table("means"), part.table("floor")
        values = part.texts("values")
        for word in means:
            if word not in values:
                part.complain(f"{short_repr(word)} is not one of its values{suggestion(word, values)}", f"{name}.means")
        for key, least in floor.items():
            if key not in ("amount", "share", "number"):
                part.complain(unknown_word(key, ("amount", "share", "number")), f"{name}.floor")
            elif not isinstance(least, str):
                part.complain(f"{short_repr(least)} is not a text", f"{name}.floor.{key}")
        if kind == "choice" and not values:
            part.complain("an option that is a choice has values", name)
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

    def _act(self, clause: str, raw: Any) -> ClauseAct | None:
        part = TableReader(raw, ACT_KEYS, self.complaints, clause, what="an act")
        act = ClauseAct(
            do=part.word("do", ActName),
            by=part.word("by", Actor),
            after=part.words("after", ActName),
            case=part.words("case", CaseWord),
            needs=part.words("needs", Condition),
            breach=self._breach(part),
            when=self._when(clause, part),
        )
        return None if part.wrong else act

    def _breach(self, part: TableReader) -> Breach | None:
        """Read `breach`, which must be there if the act has `after` or `needs`, and only then."""
        if part.get("after") or part.get("needs"):
            breach: Breach = part.word("breach", Breach)
            return breach
        if "breach" in part:
            part.complain(f"{part.get('do')} demands nothing that could be breached")
        return None

    def _ruling(self, clause: str, raw: Any) -> Ruling | None:
        part = TableReader(raw, RULING_KEYS, self.complaints, clause, what="a ruling")
        ruling = Ruling(
            on=part.word("on", Mishap),
            during=part.words("during", Window),
            given=part.words("given", Circumstance),
            then=part.word("then", Remedy),
            when=self._when(clause, part),
        )
        return None if part.wrong else ruling

    def _when(self, clause: str, part: TableReader) -> When:
        """Read the options on which an act or a ruling depends; `check_choices` looks whether they exist."""
        choices = []
        for option, values in part.table("when").items():
            allowed = (values,) if isinstance(values, str) else tuple(values) if isinstance(values, list) else ()
            if not allowed or not all(isinstance(one, str) for one in allowed):
                part.complain(f"{short_repr(values)} is not a value of an option or a list of them", f"when.{option}")
                continue
            self.conditional.append((clause, option, allowed))
            choices.append((option, allowed))
        return tuple(choices)

    def check_choices(self) -> None:
        """Complain of every `when` that names an unknown option, or a value that the option never has."""
        for clause, name, values in self.conditional:
            option = self.options.get(name)
            if option is None:
                self._complain(clause, f"there is no option {name!r} to depend on{suggestion(name, self.options)}")
                continue
            for value in values:
                if value not in option.values:
                    self._complain(clause, f"{name} is never {value!r}{suggestion(value, option.values)}")

    def _reference(self, clause: str, raw: Any) -> Reference:
        if isinstance(raw, str):
            return Reference(to=raw, read=None, external=False)
        part = TableReader(raw, REFERENCE_KEYS, self.complaints, clause, what="a reference")
        return Reference(
            to=part.text("to", needed=True), read=part.text("read") or None, external=part.flag("external")
        )

    def _complain(self, clause: str, says: str, key: str | None = None) -> None:
        self.complaints.add(says, clause, key)
