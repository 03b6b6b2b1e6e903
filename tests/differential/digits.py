"""The elementary functions in 50 decimal digits, on Python's decimal numbers."""
import decimal
from decimal import Decimal

CONTEXT = decimal.Context(prec=60)
decimal.setcontext(CONTEXT)
SMALL = Decimal(10) ** -58


def number(value):
    """Of an int, a float (exactly as it is) or a Fraction."""
    if hasattr(value, "numerator"):
        return Decimal(value.numerator) / Decimal(value.denominator)
    return Decimal(value)


def _arctan_series(x):
    result, term, k = Decimal(0), x, 1
    while abs(term) > SMALL:
        result += term / k
        term, k = -term * x * x, k + 2
    return result


PI = 16 * _arctan_series(Decimal(1) / 5) - 4 * _arctan_series(Decimal(1) / 239)  # Machin


def atan(x):
    if abs(x) > 1:
        return (PI / 2).copy_sign(x) - atan(1 / x)
    for _ in range(3):  # atan x = 2 atan(x / (1 + sqrt(1 + x^2)))
        x = x / (1 + (1 + x * x).sqrt())
    return 8 * _arctan_series(x)


def sin(x):
    x = x - 2 * PI * (x / (2 * PI)).to_integral_value()
    result, term, k = Decimal(0), x, 1
    while abs(term) > SMALL:
        result += term
        term, k = -term * x * x / ((k + 1) * (k + 2)), k + 2
    return result


def cos(x):
    return sin(x + PI / 2)


def tan(x):
    return sin(x) / cos(x)


def exp(x):
    return x.exp()


def log(x):
    if x <= 0:
        raise ValueError("logarithm")
    return x.ln()


def sqrt(x):
    if x < 0:
        raise ValueError("root")
    return x.sqrt()


def sinh(x):
    return (exp(x) - exp(-x)) / 2


def cosh(x):
    return (exp(x) + exp(-x)) / 2


def tanh(x):
    return sinh(x) / cosh(x)


def asin(x):
    if abs(x) >= 1:
        if abs(x) > 1:
            raise ValueError("arc sine")
        return (PI / 2).copy_sign(x)
    return atan(x / sqrt(1 - x * x))


def acos(x):
    return PI / 2 - asin(x)


def atan2(y, x):
    if x > 0:
        return atan(y / x)
    if x == 0 and y == 0:
        raise ValueError("angle of the origin")
    if x == 0:
        return (PI / 2).copy_sign(y)
    return atan(y / x) + (PI if y >= 0 else -PI)


FUNCTIONS = {f.__name__: f for f in (sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, exp, log, sqrt,
                                     atan2)} | {"pi": PI}
