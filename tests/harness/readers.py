"""Formulas as people read them, in text and in LaTeX, as trees like those of sheetcheck.read.

Only what has one meaning is read: what stands behind a slash is one factor, and no factor follows it; a function without
brackets has one letter as its argument. Names are spelled alike in all writings: Greek in English, dots as primes at the
end, without the marks of indices.
"""
import re
import unicodedata

GREEK = {c: unicodedata.name(c).split()[-1] for c in "αβγδεζηθικλμνξοπρστυφχψω"}
GREEK = {c: ("lambda" if n == "LAMDA" else n.lower()) for c, n in GREEK.items()}
GREEK |= {c.upper(): n.capitalize() for c, n in GREEK.items()}
COMMANDS = {"\\" + n: n for n in GREEK.values()} | {"\\varphi": "phi", "\\varepsilon": "epsilon", "\\vartheta": "theta"}
LOW = dict(zip("₀₁₂₃₄₅₆₇₈₉", "0123456789"))
HIGH = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-"))
PARTS = {c: unicodedata.numeric(c) for c in "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"}
FUNCTIONS = ("asinh", "acosh", "atanh", "asin", "acos", "atan2", "atan", "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh",
             "sin", "cos", "tan", "exp", "log", "ln", "abs", "sign", "sgn", "sqrt")
SAME = {"arcsin": "asin", "arccos": "acos", "arctan": "atan", "ln": "log", "sgn": "sign"}


class Ambiguous(Exception):
    """Two readers may read two things."""


def spelled(name):
    """One spelling for a name, from text or from the language."""
    out, dots = "", 0
    for c in unicodedata.normalize("NFD", name):
        if c in "'\u0307":
            dots += 1
        elif c == "\u0308":
            dots += 2
        elif c not in "_[],. \u2009":
            out += GREEK.get(c, LOW.get(c, c))
    return out + "'" * dots


def number(digits):
    return ("number", float(digits))


class Words:
    """What both readers do with their tokens: (kind, text, space before)."""

    def __init__(self, tokens, calls):
        self.tokens, self.calls, self.at = tokens, calls, 0
        self.bars = False  # between | and |

    def peek(self, *texts):
        return self.at < len(self.tokens) and self.tokens[self.at][1] in texts

    def kind(self):
        return self.tokens[self.at][0] if self.at < len(self.tokens) else None

    def take(self, text=None):
        if self.at == len(self.tokens) or (text and self.tokens[self.at][1] != text):
            raise SyntaxError(f"{text} expected at {self.tokens[self.at:self.at + 3]}")
        self.at += 1
        return self.tokens[self.at - 1]

    def whole(self):
        tree = self.sum()
        if self.at != len(self.tokens):
            raise SyntaxError(f"unread: {self.tokens[self.at:self.at + 4]}")
        return tree

    def sum(self):
        negative = self.peek("-")
        if negative:
            self.take()
        tree = self.term()
        if negative:
            tree = ("neg", tree)
        while self.peek("+", "-"):
            sign = self.take()[1]
            tree = (sign, tree, self.term())
        return tree

    def begins_factor(self):
        return self.kind() in ("number", "part", "name", "function", "root", "open", "frac") or (self.peek("|") and not self.bars)

    def magnitude(self):
        self.bars = True
        tree = self.sum()
        self.bars = False
        self.take("|")
        return ("call", "abs", [tree])

    def term(self):
        tree = self.factor()
        while self.begins_factor() or self.peek("/"):
            if self.peek("/"):
                self.take()
                tree = ("/", tree, self.factor())
                if self.begins_factor() or self.peek("/"):
                    raise Ambiguous(f"what follows a slash and {tree[2]}")
            else:
                if self.kind() in ("number", "part"):
                    raise Ambiguous("a number behind a factor")
                tree = ("*", tree, self.factor())
        return tree

    def arguments(self, close):
        found = [self.sum()]
        while self.peek(","):
            self.take()
            found.append(self.sum())
        self.take(close)
        return found


TEXT = re.compile(r"(?P<space>\s*)(?:(?P<number>\d+(?:\.\d+)?)|(?P<part>[½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞])|(?P<high>[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+)|(?P<root>√)"
                  r"|(?P<name>[^\W\d_⁰¹²³⁴⁵⁶⁷⁸⁹₀-₉](?:[^\W⁰¹²³⁴⁵⁶⁷⁸⁹½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞]|[\u0300-\u036f₀-₉_'.]|(?<=[₀-₉]),(?=[₀-₉]))*(?:\[[\d,]+\]'*)?)"
                  r"|(?P<open>[(])|(?P<sign>.))")


class Text(Words):
    def __init__(self, text, calls=()):
        tokens = []
        for m in TEXT.finditer(unicodedata.normalize("NFD", text).replace("−", "-").strip()):
            kind = m.lastgroup
            tokens.append(("function" if m[kind] in FUNCTIONS else kind, m[kind], bool(m["space"])))
        super().__init__(tokens, calls)

    def bracket(self):
        self.take("(")
        tree = self.sum()
        self.take(")")
        return tree

    def power(self, base):
        if self.kind() == "high":
            return ("^", base, number("".join(HIGH[c] for c in self.take()[1])))
        if self.peek("^"):
            self.take()
            return ("^", base, self.bracket() if self.peek("(") else self.atom())
        return base

    def factor(self):
        return self.power(self.atom())

    def call(self):
        name = self.take()[1]
        name = SAME.get(name, name)
        high = number("".join(HIGH[c] for c in self.take()[1])) if self.kind() == "high" else None
        if self.peek("(") and (not self.tokens[self.at][2]):
            self.take()
            tree = ("call", name, self.arguments(")"))
        else:
            if self.kind() != "name":
                raise Ambiguous(f"the argument of {name}")
            tree = ("call", name, [("name", spelled(self.take()[1]))])
            if self.kind() == "high" or self.peek("^"):
                raise Ambiguous(f"a power behind the argument of {name}")
        return ("^", tree, high) if high else tree

    def atom(self):
        kind, text, _ = self.tokens[self.at] if self.at < len(self.tokens) else (None, "", False)
        if kind == "function":
            return self.call()
        if kind == "open":
            return self.bracket()
        self.take()
        if kind == "number":
            return number(text)
        if kind == "part":
            return ("number", PARTS[text])
        if kind == "root":
            return ("call", "sqrt", [self.bracket() if self.peek("(") else self.atom()])
        if text == "|":
            return self.magnitude()
        if kind != "name":
            raise SyntaxError(f"unexpected {text}")
        name = spelled(text)
        if self.peek("(") and not self.tokens[self.at][2]:
            if name not in self.calls:
                raise Ambiguous(f"{text}( is no function")
            self.take()
            return ("call", name, self.arguments(")"))
        return ("name", name)


LATEX = re.compile(r"(?P<space>\s*)(?:(?P<number>\d+(?:\.\d+)?)|(?P<command>\\[A-Za-z]+|\\[ ,;!_{}])|(?P<name>[A-Za-z])|(?P<sign>.))")
FONTS = ("\\text", "\\mathrm", "\\mathit", "\\mathbf", "\\boldsymbol", "\\operatorname")


class Latex(Words):
    def __init__(self, text, calls=()):
        tokens = []
        for m in LATEX.finditer(text.strip()):
            kind, word = m.lastgroup, m[m.lastgroup]
            if word in ("\\,", "\\ ", "\\;", "\\!", "\\left", "\\right", "\\cdot"):
                continue
            if kind == "command" and word[1:] in FUNCTIONS and word != "\\sqrt":
                kind = "function"
            elif word == "\\frac":
                kind = "frac"
            elif word == "\\sqrt":
                kind = "root"
            elif kind == "command" and (word in COMMANDS or word in FONTS or word in ("\\dot", "\\ddot")):
                kind = "name"
            elif word == "(":
                kind = "open"
            tokens.append((kind, word, bool(m["space"])))
        super().__init__(tokens, calls)

    def group(self):
        self.take("{")
        tree = self.sum()
        self.take("}")
        return tree

    def letters(self):
        """A name without its scripts, or what stands in a script of one."""
        word = self.take()[1]
        if word in ("\\dot", "\\ddot"):
            self.take("{")
            inner = self.letters()
            self.take("}")
            return inner + "'" * (len(word) - 3)
        if word in FONTS or word == "{":
            if word != "{":
                self.take("{")
            out, depth = "", 1
            while True:
                word = self.take()[1]
                depth += (word == "{") - (word == "}")
                if not depth:
                    return out
                out += COMMANDS.get(word, "" if word in FONTS or word in ("{", "}", "\\_") else word)
        return COMMANDS.get(word, word)

    def name(self):
        name = self.letters()
        if self.peek("_"):
            self.take()
            name += self.letters()
        while self.peek("'"):
            self.take()
            name += "'"
        return spelled(name)

    def power(self, base):
        if not self.peek("^"):
            return base
        self.take()
        return ("^", base, self.group())

    def factor(self):
        return self.power(self.atom())

    def call(self):
        name = self.take()[1][1:]
        name = SAME.get(name, name)
        high = None
        if self.peek("^"):
            self.take()
            high = self.group()
        if self.peek("("):
            self.take()
            tree = ("call", name, self.arguments(")"))
        elif self.kind() == "name":
            tree = ("call", name, [("name", self.name())])
        elif self.peek("{"):
            tree = ("call", name, [self.group()])
        else:
            raise Ambiguous(f"the argument of {name}")
        return ("^", tree, high) if high else tree

    def atom(self):
        kind, text, _ = self.tokens[self.at] if self.at < len(self.tokens) else (None, "", False)
        if kind == "function":
            return self.call()
        if kind == "name":
            operator = text == "\\operatorname"
            name = self.name()
            if (name in self.calls or operator) and self.peek("("):
                self.take()
                return ("call", SAME.get(name, name), self.arguments(")"))
            return ("name", name)
        self.take()
        if kind == "number":
            return number(text)
        if kind == "frac":
            over = self.group()
            return ("/", over, self.group())
        if kind == "root":
            return ("call", "sqrt", [self.group()])
        if kind == "open":
            tree = self.sum()
            self.take(")")
            return tree
        if text == "|":
            return self.magnitude()
        raise SyntaxError(f"unexpected {text}")
