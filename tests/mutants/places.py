"""Places in C sources where a small fault can be made, found by libclang."""

import dataclasses
import functools
import re

from clang import cindex

K = cindex.CursorKind
OTHER = {
    **{"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&"},
    **{"+": "-", "-": "+", "*": "+", "/": "*", "%": "/", "&": "|", "|": "&", "<<": ">>", ">>": "<<"},
    **{"+=": "-=", "-=": "+=", "/=": "*=", "&=": "|=", "|=": "&="},
}
CONDITIONS = {K.IF_STMT: 0, K.WHILE_STMT: 0, K.DO_STMT: -1, K.CONDITIONAL_OPERATOR: 0}  # which child it is
HOLDS_STATEMENTS = {K.COMPOUND_STMT, K.IF_STMT, K.FOR_STMT, K.WHILE_STMT, K.DO_STMT, K.CASE_STMT, K.DEFAULT_STMT}
DELETED = {K.CALL_EXPR, K.BINARY_OPERATOR, K.COMPOUND_ASSIGNMENT_OPERATOR}
NOT_RUN = {K.CXX_UNARY_EXPR, K.STATIC_ASSERT, K.STRUCT_DECL, K.UNION_DECL, K.ENUM_DECL}  # the first is sizeof
LAST_CHILD_RUNS = {K.CASE_STMT, K.CSTYLE_CAST_EXPR, K.COMPOUND_LITERAL_EXPR}


@dataclasses.dataclass
class Place:
    """A fault: `form` in place of the text from start to end. {k} is its number, and {all}, {left} and {right} are
    parts of the text."""

    file: str
    function: str
    start: int
    end: int
    what: str
    form: str
    left: tuple
    right: tuple
    unit: dict  # the compile command that has found it


def span(cursor):
    return cursor.extent.start.offset, cursor.extent.end.offset


class Function:
    """The places of a function. What a macro expands to has the extent of the macro's call, so the text of an
    expression, and around it, shows whether the file spells it."""

    def __init__(self, cursor, file, text, unit):
        self.file, self.function, self.text, self.unit, self.places = file, cursor.spelling, text, unit, []
        self.has_status = cursor.result_type.spelling == "vks_status"
        for child in cursor.get_children():
            if child.kind == K.COMPOUND_STMT:
                self.visit(child)

    def of(self, cursor):
        return self.text[slice(*span(cursor))]

    def stands(self, cursor, before, after):
        start, end = span(cursor)
        return re.search(f"({before})\\s*$", self.text[max(0, start - 40) : start]) and re.match(
            f"\\s*({after})", self.text[end : end + 40]
        )

    def add(self, cursor, what, mutated, plain="({all})", left=(0, 0), right=(0, 0)):
        what = f"{' '.join(self.of(cursor).split())}: {what}"
        form = f"(vks_mutant({{k}}) ? {mutated} : {plain})"
        self.places.append(Place(self.file, self.function, *span(cursor), what, form, left, right, self.unit))

    def visit(self, cursor):
        kind, children = cursor.kind, list(cursor.get_children())
        if kind in NOT_RUN or (kind == K.VAR_DECL and cursor.storage_class == cindex.StorageClass.STATIC):
            return
        if kind == K.VAR_DECL:  # without the sizes in its type
            children = [c for c in children if self.stands(c, "=", "")]
        elif kind in LAST_CHILD_RUNS:
            children = children[-1:]
        elif kind in (K.BINARY_OPERATOR, K.COMPOUND_ASSIGNMENT_OPERATOR):
            self.operator(cursor, *children)
        elif kind == K.INTEGER_LITERAL and re.fullmatch(r"\d[\da-fA-FxX]*[uUlL]*", self.of(cursor)):
            if not self.stands(cursor, r"\[", r"\]\s*="):
                self.add(cursor, "+ 1", "{all} + 1", "{all}")
        elif kind == K.RETURN_STMT and self.has_status and self.stands(children[0], r"\breturn", ";"):
            if self.of(children[0]) != "VKS_OK":
                self.add(children[0], "returns VKS_OK", "0")
        if kind in CONDITIONS:
            self.condition(kind, children[CONDITIONS[kind]])
        if kind in HOLDS_STATEMENTS:
            for child in children[-1:] if kind == K.FOR_STMT else children:
                if child.kind in DELETED and self.stands(child, "", ";"):
                    self.add(child, "deleted", "(void)0", "(void)({all})")
        for child in children:
            self.visit(child)

    def operator(self, cursor, left, right):
        between = self.text[span(left)[1] : span(right)[0]]
        other = OTHER.get(re.sub(r"/\*.*?\*/", "", between, flags=re.DOTALL).strip())
        pointers = any(c.type.get_canonical().kind == cindex.TypeKind.POINTER for c in (left, right))
        if other and not (pointers and other in "+-"):
            self.add(cursor, other, f"({{left}}) {other} ({{right}})", left=span(left), right=span(right))

    def condition(self, kind, cursor):
        words = ("", r"\?") if kind == K.CONDITIONAL_OPERATOR else (r"\b(if|while)\s*\(", r"\)")
        if self.stands(cursor, *words):
            self.add(cursor, "negated", "!({all})", "!!({all})")


@functools.cache
def text_of(path):
    with open(path, encoding="latin-1", newline="") as f:  # a character for each byte, as libclang counts
        return f.read()


def parse(unit, changed=()):
    """The translation unit of a compile command with some files as `changed`; None if it is in error."""
    read = cindex.Index.create().parse(unit["file"], unit["arguments"], unsaved_files=list(changed))
    return None if any(d.severity >= cindex.Diagnostic.Error for d in read.diagnostics) else read


headers_seen = set()


def in_unit(root, unit):
    """The places of a source file, and of headers of src/ and solvers/ that no unit before it includes."""
    read, places = parse(unit), []
    if not read:
        raise SystemExit(f"libclang cannot read {unit['file']}")
    for cursor in read.cursor.get_children():
        if cursor.kind == K.FUNCTION_DECL and cursor.is_definition():
            path = cursor.location.file.name
            if path.startswith((f"{root}/src/", f"{root}/solvers/")) and path not in headers_seen:
                places += Function(cursor, path[len(root) + 1 :], text_of(path), unit).places
    headers_seen.update(f"{root}/{p.file}" for p in places)
    return places
