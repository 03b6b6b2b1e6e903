"""What tools/checkproof is made of; docs/certificates.md says what it checks. From the bottom up:

    expressions   formulas as a graph, vectors, derivatives
    rings         the numbers in which they are evaluated: prime fields, lines through them, reals
    points        the value of a formula at a random point
    polynomials   identities of the certificate
    text          tokens, statements, expressions of the model's text
    contact       joints, shapes, rolling
    model         the mechanical system that the text describes
    defined       whether generators exist where the model does
    states        whether it has a regular state
    proof         one proof: comparison with the model, identities, factors
    directions    one proof about ranks and brackets"""


class Wrong(Exception):
    """The proof, or the model, is not as it should be."""


class Unchecked(Exception):
    """The proof cannot be checked here; it may be right or wrong."""


class Again(Exception):
    """This point will not do: a root does not exist."""
