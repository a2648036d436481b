"""Head-split trees: WG_1S in O(n^6) and M1IS in O(n^5), each tree with one derivation.

A tree of WG_1 is head-split when a child whose gap holds its head has the whole gap of that head in its own (Satta &
Kuhlmann 2013, "Efficient parsing for head-split dependency trees"; Gómez-Rodríguez 2016, section 2). So the subtree of
a head with a gap falls apart at the head, into a closed part and one with a gap in which the head stands at one of four
corners, so that no item needs an index for it. The rules are ours, those of the charts in
cpp/nonproj/decode/well_nested/head_split.hpp:

    F[i, j, h]      dependents of h fill i..j; h may stand among them or outside, and i..j may be empty
    C[a, b, h]      the same, and one dependent of h holds a and b, or a = b = h
    H[a, b, h]      as C, where that dependent has a gap, filled by others; K[a, c, b, h] says that it is c
    I[i, p, q, j]   dependents of i fill i+1..p and q..j           P: of p, they fill i..p-1 and q..j
    J[i, p, q, j]   dependents of j fill i..p and q..j-1           Q: of q, they fill i..p and q+1..j

All other items are of two of these. Rules for Q and J are the mirror images of those for P and I.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from nonproj.schema.notation import Hypothesis, ItemForm, Step
from nonproj.schema.schema import Schema

# ``A <- B C | D : h->d`` : A is built from B and C, or from D, by the arc; ``[...]`` in the end is a side condition.
_CLOSED = """
F[i,j,h]   <- C[i,k,h] F[k+1,j,h]
C[a,b,h]   <- F[a,b,c] word[h] : h->c {c in [a, b] and h not in [a, b]}
C[a,b,h]   <- H[a,b,h]
H[a,b,h]   <- K[a,c,b,h]
"""
_SHARED = """
Zl[h,c]    <- F[c+1,x,c] F[x+1,h-1,h] : h->c
B[c,y,h]   <- F[c+1,x,c] F[x+1,y-1,h] {x <= y-2 and h not in [c, x]}
W[c,b,h]   <- I[c,x,y,b] F[x+1,y-1,h] {h not in [c, x] and h not in [y, b]}
K[a,c,b,h] <- F[a,c-1,c] W[c,b,h] : h->c {h not in [a, c]}
K[a,c,b,h] <- P[a,c,y,b] B[c,y,h] : h->c {h not in [a, c] and h not in [y, b]}
"""
_ONE_INHERITS = """
Qp[i,p,q,j] <- F[x+1,p-1,p] Q[i,x,q,j] : p->q
Jp[i,p,q,j] <- F[x+1,p-1,p] J[i,x,q,j] : p->j
Ip[i,p,q,j] <- F[x+1,p-1,p] I[i,x,q,j] : p->i
P0[i,p,q,j] <- Zl[p,c] P[i,c,q,j] | F[i,c-1,c] Ip[c,p,q,j] | F[q,c-1,c] Qp[i,p,c,j] | Jp[i,p,q,c] F[c+1,j,c]
P1[i,p,q,j] <- F[i,a-1,p] P0[a,p,q,j]
P2[i,p,q,j] <- F[q,y-1,p] P1[i,p,y,j]
P[i,p,q,j]  <- F[i,p-1,p] F[q,j,p] | P2[i,p,q,b] F[b+1,j,p]
Pi[i,p,q,j] <- F[i+1,a-1,i] P[a,p,q,j] : i->p
Qi[i,p,q,j] <- F[i+1,a-1,i] Q[a,p,q,j] : i->q
Ji[i,p,q,j] <- F[i+1,a-1,i] J[a,p,q,j] : i->j
I0[i,p,q,j] <- F[c+1,p,c] Pi[i,c,q,j] | Zr[i,c] I[c,p,q,j] | F[q,c-1,c] Qi[i,p,c,j] | Ji[i,p,q,c] F[c+1,j,c]
I1[i,p,q,j] <- F[x+1,p,i] I0[i,x,q,j]
I2[i,p,q,j] <- F[q,y-1,i] I1[i,p,y,j]
I[i,p,q,j]  <- I2[i,p,q,b] F[b+1,j,i]
"""
_ANY_INHERIT = """
B[c,y,h]    <- W[c,y-1,h]
Ki[i,p,q,j] <- F[i+1,a-1,i] P[a,p,q,j] | P[a,p,q,b] I[i,a-1,b+1,j] : i->p
Kx[i,p,q,j] <- F[a,p-1,p] I[i,a-1,q,j] : i->p
Kp[i,p,q,j] <- Ki[i,p,q,j] | Kx[i,p,q,j]
N[i,p,q,j]  <- F[i+1,a-1,i] Q[a,p,q,j] | Q[a,p,q,b] I[i,a-1,b+1,j] : i->q
Nx[i,p,q,j] <- F[i+1,p,i] F[q+1,j,q] | F[q+1,b,q] I[i,p,b+1,j] : i->q
Np[i,p,q,j] <- N[i,p,q,j] | Nx[i,p,q,j]
I0[i,p,q,j] <- F[c+1,p,c] Ki[i,c,q,j] | Zr[i,c] I[c,p,q,j] | I[c,p,q,z-1] Kp[i,c,z,j]
I0[i,p,q,j] <- F[q,c-1,c] N[i,p,c,j] | J[z+1,p,q,c] Np[i,z,c,j]
I1[i,p,q,j] <- F[x+1,p,i] I0[i,x,q,j]
I[i,p,q,j]  <- F[i+1,p,i] F[q,j,i] | F[q,y-1,i] I1[i,p,y,j]
R[i,p,q,j]  <- F[x+1,p-1,p] I[i,x,q,j] | P[x+1,p,q,y-1] I[i,x,y,j] : p->i
Rx[i,p,q,j] <- F[i+1,x,i] P[x+1,p,q,j] : p->i
Rp[i,p,q,j] <- R[i,p,q,j] | Rx[i,p,q,j]
Y[i,p,q,j]  <- F[x+1,p-1,p] J[i,x,q,j] | P[x+1,p,q,y-1] J[i,x,y,j] : p->j
Yx[i,p,q,j] <- F[i,p-1,p] F[q,j-1,j] | P[i,p,q,y-1] F[y,j-1,j] : p->j
Yp[i,p,q,j] <- Y[i,p,q,j] | Yx[i,p,q,j]
P0[i,p,q,j] <- F[i,c-1,c] R[c,p,q,j] | Zl[p,c] P[i,c,q,j] | Rp[c,p,q,z-1] P[i,c,z,j]
P0[i,p,q,j] <- Y[i,p,q,c] F[c+1,j,c] | Yp[z+1,p,q,c] Q[i,z,c,j]
P1[i,p,q,j] <- F[i,a-1,p] P0[a,p,q,j]
P[i,p,q,j]  <- P1[i,p,q,b] F[b+1,j,p]
"""

_OTHER_SIDE = {"i": "j", "j": "i", "p": "q", "q": "p"}
_MIRRORED = {"P": "Q", "Q": "P", "I": "J", "J": "I", "Zl": "Zr", "Zr": "Zl", "F": "F", "word": "word", "K": "K"}
_ITEM = re.compile(r"(\w+)\[([^\]]*)\]")
_RULE = re.compile(r"(\w+\[[^\]]*\])\s*<-\s*([^:{]*)(?::\s*(\w)->(\w)\s*)?(?:\{(.*)\})?")


def _mirrored(line: str) -> str:
    """A rule read from right to left: first and last places change sides, as do i and j, p and q, a and b, x and y."""
    swap = str.maketrans("ijpqabxy+-", "jiqpbayx-+")

    def item(match: re.Match[str]) -> str:
        kind, fields = match[1], match[2].translate(swap).split(",")
        turned = {"F": 2, "C": 2, "H": 2, "K": 3, "B": 2, "W": 2, "Zl": 0, "Zr": 0, "word": 0}.get(kind, 4)
        fields[:turned] = fields[:turned][::-1]
        return f"{_MIRRORED.get(kind, kind + 'm')}[{','.join(fields)}]"

    built, parts, head, dependent, where = _read(line)
    arc = f" : {head}->{dependent}".translate(str.maketrans("ijpq", "jiqp")) if head else ""
    return f"{_ITEM.sub(item, built)} <- {_ITEM.sub(item, parts)}{arc}{_mirrored_condition(where)}"


def _mirrored_condition(where: str) -> str:
    """A condition read from right to left."""
    turned = re.sub(r"\b[abxy]\b", lambda name: "bayx"["abxy".index(name[0])], where)
    turned = re.sub(r"\[(\w), (\w)\]", r"[\2, \1]", turned)
    turned = turned.replace("y <= x-2", "y >= x+2")
    return f" {{{turned}}}" if turned else ""


def _read(line: str) -> tuple[str, str, str, str, str]:
    match = _RULE.fullmatch(line.strip())
    assert match, line
    return match[1], match[2].strip(), match[3] or "", match[4] or "", match[5] or ""


def _steps(lines: list[str]) -> Iterator[Step]:
    used: Counter[str] = Counter()
    for line in lines:
        built, parts, head, dependent, where = _read(line)
        for alternative in parts.split("|"):
            kinds = " and ".join(match[1] for match in _ITEM.finditer(alternative))
            name = f"{built.partition('[')[0]} from {kinds}"
            used[name] += 1
            name += f" ({used[name]})" if used[name] > 1 else ""
            rule = f"{alternative} => {built}".replace(",", ", ").strip()
            yield Step(name, rule, where, arc=f"{head} -> {dependent}" if head else "")


_BOUNDS = {
    "F": ("F[i, j, h]", "1 <= i <= j+1 <= n+1 and first <= h <= n", "dependents of h fill i..j"),
    "C": ("C[a, b, h]", "1 <= a <= b <= n and first <= h <= n", "as F, one dependent of h with a and b, or a = b = h"),
    "H": ("H[a, b, h]", "1 <= a < b <= n and first <= h <= n", "as C, and that dependent has a gap"),
    "K": ("K[a, c, b, h]", "1 <= a <= c <= b <= n and first <= h <= n", "as H, and that dependent is c"),
    "Zl": ("Zl[h, c]", "1 <= c < h <= n", "c depends on h, and both fill what is between them"),
    "Zr": ("Zr[h, c]", "1 <= h < c <= n", "c depends on h, and both fill what is between them"),
    "B": ("B[c, y, h]", "1 <= c and c+2 <= y <= n and first <= h <= n", "c, its dependents, then those of h, before y"),
    "Bm": ("Bm[x, c, h]", "1 <= x and x+2 <= c <= n and first <= h <= n", "after x those of h, then those of c, and c"),
    "W": ("W[c, b, h]", "1 <= c < b <= n and first <= h <= n", "dependents of c up to b, and those of h in the gap"),
    "Wm": (
        "Wm[a, c, h]",
        "1 <= a < c <= n and first <= h <= n",
        "dependents of c from a on, and those of h in the gap",
    ),
}
# What the items over two blocks are about: a head, and for those on the way which of its dependents inherits the gap.
_HEADS = {
    "I": "i", "I0": "i", "I1": "i", "I2": "i", "P": "p", "P0": "p", "P1": "p", "P2": "p",
    "Ki": "i p", "Kx": "i p", "Kp": "i p", "N": "i q", "Nx": "i q", "Np": "i q",
    "R": "p i", "Rx": "p i", "Rp": "p i", "Y": "p j", "Yx": "p j", "Yp": "p j",
    "Pi": "i p", "Qi": "i q", "Ji": "i j", "Qp": "p q", "Jp": "p j", "Ip": "p i",
}  # fmt: skip


def _form(kind: str) -> ItemForm:
    if kind in _BOUNDS:
        return ItemForm(*_BOUNDS[kind])
    is_mirrored = kind not in _HEADS
    head, *inherits = _HEADS[_MIRRORED.get(kind, kind.removesuffix("m")) if is_mirrored else kind].split()
    if is_mirrored:
        head, inherits = _OTHER_SIDE[head], [_OTHER_SIDE[child] for child in inherits]
    done = "" if len(kind) == 1 and not inherits else "some of the "
    which = f", and {inherits[0]} inherits the gap" if inherits else ""
    meaning = f"{done}dependents of {head} fill i..p and q..j{which}"
    return ItemForm(f"{kind}[i, p, q, j]", "1 <= i <= p and p+2 <= q <= j <= n", meaning)


def _schema(name: str, title: str, rules: str) -> Schema:
    both = [line for line in (_SHARED + rules).splitlines() if line]
    lines = [*_CLOSED.strip().splitlines(), *both, *map(_mirrored, both)]
    steps = list(_steps(lines))
    kinds = dict.fromkeys(step.consequent.kind for step in steps if step.consequent is not None)
    return Schema(
        name,
        title,
        "nonproj, after Satta & Kuhlmann 2013",
        class_name=name,
        items=[_form(kind) for kind in kinds],
        hypotheses=[
            Hypothesis("word[h]", "first <= h <= n"),
            Hypothesis("C[h, h, h]", "1 <= h <= n"),
            Hypothesis("F[i, i-1, h]", "1 <= i <= n+1 and first <= h <= n"),
        ],
        steps=steps,
        final=Step("Final", "F[1, n, 0]"),
        single_root_final=Step("Final", "F[1, n, h]", "h in [1, n]", arc="0 -> h"),
    )


WG1S = _schema("WG1S", "head-split trees of WG1, each with one derivation", _ANY_INHERIT)
M1IS = _schema("M1IS", "head-split trees of M1I, each with one derivation", _ONE_INHERITS)
