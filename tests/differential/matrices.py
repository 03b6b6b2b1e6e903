"""Small dense linear algebra on lists, for floats and for decimals alike."""

DEPENDENT = 1e-9  # of a row's own size: what is left of it is taken for zero
CLEAR = 1e-3  # what is left of a row lies above this, or the state is too near a singular one to judge


def times(matrix, vector):
    return [sum(a * b for a, b in zip(row, vector)) for row in matrix]


def solve(matrix, right):
    """Gauss elimination with full pivoting; ZeroDivisionError where the matrix is singular."""
    n = len(matrix)
    rows = [list(row) + [b] for row, b in zip(matrix, right)]
    order = list(range(n))
    for k in range(n):
        i, j = max(((i, j) for i in range(k, n) for j in range(k, n)),
                   key=lambda at: abs(rows[at[0]][at[1]]))
        rows[k], rows[i] = rows[i], rows[k]
        if j != k:
            order[k], order[j] = order[j], order[k]
            for row in rows:
                row[k], row[j] = row[j], row[k]
        for row in rows[k + 1:]:
            factor = row[k] / rows[k][k]
            if factor:
                for c in range(k, n + 1):
                    row[c] -= factor * rows[k][c]
    result = [None] * n
    for k in reversed(range(n)):
        known = sum(rows[k][c] * result[order[c]] for c in range(k + 1, n))
        result[order[k]] = (rows[k][n] - known) / rows[k][k]
    return result


def independent(rows):
    """Which rows are independent, by Gram and Schmidt with the largest remainder first, each row measured
    by its own size; and the least remainder that was accepted, the greatest that was not."""
    left = []
    for row in rows:
        size = float(sum(a * a for a in row)) ** 0.5
        left.append([float(a) / size for a in row] if size > 0 else [0.0] * len(row))
    chosen, least, dropped = [], 1.0, 0.0
    while len(chosen) < len(rows):
        sizes = [-1 if i in chosen else sum(a * a for a in row) ** 0.5
                 for i, row in enumerate(left)]
        best = max(range(len(rows)), key=sizes.__getitem__)
        if sizes[best] < DEPENDENT:
            dropped = max(sizes[best], 0)
            break
        chosen.append(best)
        least = min(least, sizes[best])
        unit = [a / sizes[best] for a in left[best]]
        for i, row in enumerate(left):
            along = sum(a * b for a, b in zip(row, unit))
            left[i] = [a - along * b for a, b in zip(row, unit)]
    return sorted(chosen), least, dropped


def null_space(rows, n):
    """An orthonormal basis of the vectors that all rows map to zero."""
    basis = []
    for row in [list(map(float, rows[i])) for i in independent(rows)[0]] + \
            [[float(i == k) for i in range(n)] for k in range(n)]:
        for _ in range(2):
            for unit in basis:
                along = sum(a * b for a, b in zip(row, unit))
                row = [a - along * b for a, b in zip(row, unit)]
        size = sum(a * a for a in row) ** 0.5
        if size > 1e-7:
            basis.append([a / size for a in row])
    count = len(independent(rows)[0]) if rows else 0
    return basis[count:]


def least_step(rows, residuals):
    """The least change d with rows d = -residuals, by the independent rows."""
    chosen = independent(rows)[0]
    J = [rows[i] for i in chosen]
    G = [[sum(a * b for a, b in zip(u, v)) for v in J] for u in J]
    y = solve(G, [-residuals[i] for i in chosen])
    return [sum(J[i][k] * y[i] for i in range(len(J))) for k in range(len(rows[0]))]
