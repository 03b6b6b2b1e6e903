/* derive/carried.c - the equations of a tree of bodies, body by body: docs/formalisms/multipliers.md.
 *
 * A body b stands on p at s, turned by R from the axes of p, where it turns with Ω besides. In its own axes, with the
 * acceleration a of its centre of mass (gravity taken off) and the force f and moment h that carry it,
 *
 *     ω_b = Rᵀ (ω_p + Ω),      α_b = Rᵀ (α_p + ω_p × Ω + Ω'),
 *     a_b = Rᵀ (a_p + α_p × s + ω_p × (ω_p × s) + 2 ω_p × s' + s''),
 *     f_b = m a_b − F + Σ_c R_c f_c,      h_b = I α_b + ω_b × I ω_b − N + Σ_c (R_c h_c + s_c × R_c f_c)
 *
 * over the bodies c that stand on b, and every coordinate has Σ_b ∂s_b/∂q · R_b f_b + ∂Ω_b/∂q' · R_b h_b = Q − ∂V/∂q: a few lines a
 * body, where each entry of M would be as long as the tree [Luh1980]. */
#include "derive.h"

#include <string.h>

enum {
    CARRIED_WIDTH_PLANE = 3,
    CARRIED_WIDTH_SPACE = 6,
    /* Σ (velocities that move a body)² × its components, roughly the terms of M: with fewer, M is the shorter form. */
    CARRIED_ABOVE = 120
};

typedef struct carried {
    const model_part *part;
    ah_vector omega, alpha, a; /* own axes */
    ah_vector f, h;            /* own axes, then those of the carrier */
    ah_expr axes[3][3];        /* in space, under names; only where forces need them … */
    ah_vector place, velocity; /* … and these */
} carried;

typedef struct tree_writer {
    ah_equations *eq;
    ah_model *m;
    ah_ctx *ctx;
    arena *arena;
    carried *body;
    bool forces; /* some act on bodies, in space axes */
    expr_list from,
        to; /* what forces may be written in: axes, places and velocities of bodies, and their names */
    expr_list symbol, meaning;
} tree_writer;

/* ---- Names ----------------------------------------------------------------------------------- */

/* ω_B2x of B[2]. */
static const char *name_of(const tree_writer *w, const char *letter, const char *body,
                           const char *component)
{
    text t = text_begin(w->arena);
    text_printf(&t, "%s_", letter);
    for (const char *c = body; *c; c++)
        if (!strchr("[],._", *c)) text_char(&t, *c);
    text_add(&t, component);
    const char *name = text_end(&t);
    return model_find(w->m, name) ? arena_printf(w->arena, "%s_", name) : name;
}

/* What is longer than a product of two is called by a name from here on. */
static ah_expr named(tree_writer *w, ah_expr e, const char *letter, const char *body,
                     const char *component)
{
    const expr_op op = expr_get_op(w->ctx, e);
    if (op != EXPR_SUM && (op != EXPR_PRODUCT || expr_get_count(w->ctx, e) < 3)) return e;
    const ah_expr symbol = expr_symbol(w->ctx, AH_LOCAL, name_of(w, letter, body, component));
    LIST_PUSH(w->arena, &w->symbol, symbol);
    LIST_PUSH(w->arena, &w->meaning, e);
    return symbol;
}

static ah_vector named_vector(tree_writer *w, ah_vector v, const char *letter, const char *body)
{
    static const char *const component[] = {"x", "y", "z"};
    for (int i = 0; i < 3; i++) v.c[i] = named(w, v.c[i], letter, body, component[i]);
    return v;
}

/* ---- Axes ------------------------------------------------------------------------------------ */

static ah_vector column_of(const ah_expr R[3][3], int k)
{
    return (ah_vector){{R[0][k], R[1][k], R[2][k]}};
}

static ah_vector into_own(ah_ctx *ctx, const ah_expr R[3][3], ah_vector v)
{
    ah_vector out;
    for (int i = 0; i < 3; i++) out.c[i] = vector_dot(ctx, column_of(R, i), v);
    return out;
}

static ah_vector out_of_own(ah_ctx *ctx, const ah_expr R[3][3], ah_vector v)
{
    ah_vector out;
    for (int i = 0; i < 3; i++)
        out.c[i] = vector_dot(ctx, (ah_vector){{R[i][0], R[i][1], R[i][2]}}, v);
    return out;
}

static bool is_turned(ah_ctx *ctx, const model_part *p)
{
    bool turned = false;
    for (int i = 0; i < 3; i++) turned = turned || !expr_is_one(ctx, p->own_rotation[i][i]);
    return turned;
}

static void find_axes(tree_writer *w, carried *b)
{
    const model_part *p = b->part;
    for (int k = 0; k < 3; k++) {
        const ah_vector own = column_of(p->own_rotation, k);
        const ah_vector turned = p->on ? out_of_own(w->ctx, w->body[p->on - 1].axes, own) : own;
        const ah_vector axis =
            named_vector(w, turned, arena_printf(w->arena, "e%d", k + 1), p->name);
        for (int i = 0; i < 3; i++) b->axes[i][k] = axis.c[i];
    }
}

/* Place and velocity in space. */
static void find_place(tree_writer *w, carried *b)
{
    ah_ctx *ctx = w->ctx;
    const model_part *p = b->part;
    b->place = p->own_place;
    b->velocity = p->own_velocity;
    if (p->on) {
        const carried *on = &w->body[p->on - 1];
        const ah_vector turned = vector_cross(ctx, on->omega, p->own_place);
        const ah_vector moved = vector_add(ctx, turned, p->own_velocity);
        b->place = vector_add(ctx, on->place, out_of_own(ctx, on->axes, p->own_place));
        b->velocity = vector_add(ctx, on->velocity, out_of_own(ctx, on->axes, moved));
    }
    b->place = named_vector(w, b->place, "r", p->name);
    b->velocity = named_vector(w, b->velocity, "v", p->name);
}

static void stands_for(tree_writer *w, ah_expr e, ah_expr name)
{
    const expr_op op = expr_get_op(w->ctx, e);
    if (e == name || (op != EXPR_SUM && op != EXPR_PRODUCT)) return;
    LIST_PUSH(w->arena, &w->from, e);
    LIST_PUSH(w->arena, &w->to, name);
}

static void find_words(tree_writer *w, const carried *b)
{
    const model_part *p = b->part;
    const ah_vector omega = out_of_own(w->ctx, b->axes, b->omega);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) stands_for(w, p->rotation[i][k], b->axes[i][k]);
        stands_for(w, p->place.c[i], b->place.c[i]);
        stands_for(w, p->velocity.c[i], b->velocity.c[i]);
        stands_for(w, p->omega.c[i], omega.c[i]);
    }
}

static ah_vector in_words(const tree_writer *w, ah_vector v)
{
    expr_subst_all(w->ctx, v.c, 3, w->from.count, w->from.at, w->to.at);
    return v;
}

/* ---- Down the tree: how they move -------------------------------------------------------------- */

static ah_vector sum(ah_ctx *ctx, size_t count, const ah_vector *v)
{
    ah_vector out = v[0];
    for (size_t i = 1; i < count; i++) out = vector_add(ctx, out, v[i]);
    return out;
}

static ah_vector weight(const tree_writer *w)
{
    ah_vector g = vector_zero(w->ctx);
    for (size_t i = 0; i < w->m->gravity.count; i++) g = vector_add(w->ctx, g, w->m->gravity.at[i]);
    return g;
}

static void find_motion(tree_writer *w, carried *b)
{
    ah_ctx *ctx = w->ctx;
    const model_part *p = b->part;
    const ah_vector s = p->own_place, Omega = p->own_omega;
    ah_vector omega = Omega, alpha = vector_dt(ctx, Omega), a = vector_dt(ctx, p->own_velocity);
    if (p->on) {
        const carried *on = &w->body[p->on - 1];
        const ah_vector turned[] = {on->alpha, vector_cross(ctx, on->omega, Omega), alpha};
        const ah_vector twice = vector_scale(ctx, expr_int(ctx, 2), p->own_velocity);
        const ah_vector inward = vector_add(ctx, vector_cross(ctx, on->omega, s), twice);
        const ah_vector moved[] = {on->a, vector_cross(ctx, on->alpha, s),
                                   vector_cross(ctx, on->omega, inward), a};
        omega = vector_add(ctx, on->omega, Omega);
        alpha = sum(ctx, 3, turned);
        a = sum(ctx, 4, moved);
    } else {
        a = vector_sub(ctx, a, weight(w));
    }
    if (is_turned(ctx, p)) {
        alpha = named_vector(w, alpha, "beta", p->name);
        a = named_vector(w, a, "b", p->name);
    }
    b->omega = named_vector(w, into_own(ctx, p->own_rotation, omega), "omega", p->name);
    b->alpha = named_vector(w, into_own(ctx, p->own_rotation, alpha), "alpha", p->name);
    b->a = named_vector(w, into_own(ctx, p->own_rotation, a), "a", p->name);
    if (!w->forces) return;
    find_axes(w, b);
    find_place(w, b);
    find_words(w, b);
}

/* ---- Up the tree: what carries them ------------------------------------------------------------ */

static ah_vector times_inertia(ah_ctx *ctx, const ah_expr I[6], ah_vector v)
{
    const ah_vector row[] = {{{I[0], I[5], I[4]}}, {{I[5], I[1], I[3]}}, {{I[4], I[3], I[2]}}};
    ah_vector out;
    for (int i = 0; i < 3; i++) out.c[i] = vector_dot(ctx, row[i], v);
    return out;
}

/* Inertia less the applied forces; f and h begin with what the bodies on it have added. */
static void find_forces(tree_writer *w, carried *b)
{
    ah_ctx *ctx = w->ctx;
    const model_part *p = b->part;
    b->f = vector_add(ctx, b->f, vector_scale(ctx, p->mass, b->a));
    const ah_vector spin = vector_cross(ctx, b->omega, times_inertia(ctx, p->inertia, b->omega));
    b->h = vector_add(ctx, b->h, vector_add(ctx, times_inertia(ctx, p->inertia, b->alpha), spin));
    if (w->forces) {
        b->f = vector_sub(ctx, b->f, into_own(ctx, b->axes, in_words(w, p->force)));
        b->h = vector_sub(ctx, b->h, into_own(ctx, b->axes, in_words(w, p->torque)));
    }
    b->f = named_vector(w, b->f, "f", p->name);
    b->h = named_vector(w, b->h, "h", p->name);
    b->f = named_vector(w, out_of_own(ctx, p->own_rotation, b->f), "F", p->name);
    b->h = named_vector(w, out_of_own(ctx, p->own_rotation, b->h), "H", p->name);
    if (!p->on) return;
    carried *on = &w->body[p->on - 1];
    on->f = vector_add(ctx, on->f, b->f);
    on->h = vector_add(ctx, on->h, vector_add(ctx, b->h, vector_cross(ctx, p->own_place, b->f)));
}

/* ---- The equations ----------------------------------------------------------------------------- */

/* Σ ∂s/∂q · f + ∂Ω/∂q' · h of all bodies that a coordinate moves, and what `kinetic` statements say. */
static mat left_sides(tree_writer *w)
{
    ah_ctx *ctx = w->ctx;
    mechanics *k = w->eq->mech;
    LIST(mat_entry) e = {0};
    for (size_t i = 0; i < w->m->parts.count; i++) {
        const carried *b = &w->body[i];
        for (int c = 0; c < 6; c++) {
            const ah_vector u = c < 3 ? b->part->own_velocity : b->part->own_omega;
            if (expr_is_zero(ctx, u.c[c % 3])) continue;
            const mat slope = mat_gradient(ctx, w->arena, u.c[c % 3], k->n, w->m->v.at);
            const ah_expr by = c < 3 ? b->f.c[c] : b->h.c[c - 3];
            for (uint32_t r = 0; r < slope.rows; r++)
                if (slope.start[r] < slope.start[r + 1])
                    LIST_PUSH(w->arena, &e,
                              ((mat_entry){r, 0, expr_mul(ctx, slope.val[slope.start[r]], by)}));
        }
    }
    const mat bodies = mat_from_entries(ctx, w->arena, k->n, 1, e.at, e.count);
    ah_expr T = expr_sum(ctx, w->m->kinetic_terms.count, w->m->kinetic_terms.at);
    model_put_bodies(w->m, &T, 1);
    const mat p = mat_dt(ctx, w->arena, mat_gradient(ctx, w->arena, T, k->n, w->m->v.at));
    const mat written = mat_sub(ctx, w->arena, p, mat_gradient(ctx, w->arena, T, k->n, w->m->q.at));
    return mat_add(ctx, w->arena, bodies, written);
}

static mat right_sides(tree_writer *w)
{
    mechanics *k = w->eq->mech;
    ah_expr V = expr_sum(w->ctx, w->m->potential_terms.count, w->m->potential_terms.at);
    model_put_bodies(w->m, &V, 1);
    const mat F = mat_from_dense(w->ctx, w->arena, k->n, 1, w->m->F_written);
    return mat_sub(w->ctx, w->arena, F, mat_gradient(w->ctx, w->arena, V, k->n, w->m->q.at));
}

/* Which names the equations rest on, and these on others: later names on earlier ones alone. */
static bool *find_used(tree_writer *w, mat left, mat right)
{
    ah_ctx *ctx = w->ctx;
    const size_t count = w->symbol.count;
    bool *needed = NEW_ARRAY(w->arena, bool, expr_pool_size(ctx) + 1);
    bool *used = NEW_ARRAY(w->arena, bool, count + 1);
    const arena_mark mark = arena_get_mark(&ctx->scratch);
    for (size_t i = count + 2; i-- > 0;) {
        const bool rows = i >= count;
        if (!rows && !(used[i] = needed[w->symbol.at[i]])) continue;
        const mat side = i == count ? left : right;
        const ah_expr *e = rows ? side.val : &w->meaning.at[i];
        const expr_list s = expr_symbols(ctx, &ctx->scratch, e, rows ? mat_entries(side) : 1);
        for (size_t k = 0; k < s.count; k++) needed[s.at[k]] = true;
        arena_release(&ctx->scratch, mark);
    }
    return used;
}

static void show_names(tree_writer *w, const bool *used, size_t from, size_t until)
{
    expr_list symbol = {0}, meaning = {0};
    for (size_t i = from; i < until; i++) {
        if (!used[i]) continue;
        LIST_PUSH(w->arena, &symbol, w->symbol.at[i]);
        LIST_PUSH(w->arena, &meaning, w->meaning.at[i]);
    }
    const uint32_t count = (uint32_t) symbol.count;
    if (!count) return;
    sheet *s = w->eq->sheet;
    const mat values = mat_from_dense(w->ctx, w->arena, count, 1, meaning.at);
    sheet_equations(s, mat_from_dense(w->ctx, w->arena, count, 1, symbol.at),
                    sheet_as_written(s, sheet_leaf(s, values)), NULL, NULL);
    sheet_final(s);
}

static void say(sheet *s, const char *sentence)
{
    sheet_text(s, "%s", sentence);
    sheet_final(s);
}

static void write_equations(tree_writer *w)
{
    sheet *s = w->eq->sheet;
    const size_t parts = w->m->parts.count;
    for (size_t i = 0; i < parts; i++) find_motion(w, &w->body[i]);
    const size_t motion = w->symbol.count;
    for (size_t i = parts; i-- > 0;) find_forces(w, &w->body[i]);
    const mat left = left_sides(w), right = right_sides(w);
    const bool *used = find_used(w, left, right);
    sheet_section(s, "Bodies that stand on each other", "[Luh1980]");
    say(s, "From body to body, in the axes of each: the angular velocity $\\omega$, the angular "
           "acceleration $\\alpha$, the acceleration $a$ of the centre of mass, gravity taken off; "
           "$\\beta$ and $b$ are these in the axes of what it stands on.");
    if (w->forces)
        say(s, "In space: the axes $e1$, $e2$, $e3$, the place $r$, the velocity $v$ of a body.");
    show_names(w, used, 0, motion);
    say(s,
        "And back: the force $f$ and the moment $h$ that carry a body with all that stands on it; "
        "$F$ and $H$ are these in the axes of what it stands on.");
    show_names(w, used, motion, w->symbol.count);
    say(s, w->eq->mech->r ? "Each coordinate has one equation, with the reactive forces "
                            "$J^T \\lambda$ added on the right, where $J \\ddot{q} = -\\gamma$ are "
                            "the constraints."
                          : "Each coordinate has one equation.");
    sheet_implicit(s, sheet_leaf(s, left), sheet_leaf(s, right), NULL, NULL);
    sheet_final(s);
}

/* ---- When -------------------------------------------------------------------------------------- */

/* The terms of M, roughly. */
static double terms_of_mass(const tree_writer *w)
{
    const ah_model *m = w->m;
    double *moved = NEW_ARRAY(w->arena, double, m->parts.count + 1), terms = 0;
    for (size_t i = 0; i < m->parts.count; i++) {
        const model_part *p = &m->parts.at[i];
        LIST(ah_expr) u = {0};
        bool plane = true;
        for (int c = 0; c < 3; c++) {
            LIST_PUSH(w->arena, &u, p->own_velocity.c[c]);
            LIST_PUSH(w->arena, &u, p->own_omega.c[c]);
        }
        for (int c = 0; c < 2; c++) plane = plane && expr_is_zero(w->ctx, p->own_omega.c[c]);
        const expr_list s = expr_symbols(w->ctx, w->arena, u.at, u.count);
        for (size_t k = 0; k < s.count; k++)
            moved[i] += expr_get_kind(w->ctx, s.at[k]) == AH_VELOCITY;
        if (p->on) moved[i] += moved[p->on - 1];
        terms += moved[i] * moved[i] * (plane ? CARRIED_WIDTH_PLANE : CARRIED_WIDTH_SPACE);
    }
    return terms;
}

bool derive_carried(ah_equations *eq, size_t first)
{
    mechanics *k = eq->mech;
    ah_model *m = k->model;
    bool any = false, forces = false;
    tree_writer w = {.eq = eq, .m = m, .ctx = k->ctx, .arena = k->arena};
    for (size_t i = 0; i < m->parts.count; i++) {
        any = any || m->parts.at[i].on;
        for (int c = 0; c < 3; c++)
            forces = forces || !expr_is_zero(k->ctx, m->parts.at[i].force.c[c]) ||
                     !expr_is_zero(k->ctx, m->parts.at[i].torque.c[c]);
    }
    if (!any || m->speeds.count || m->kinematic) return false;
    if (!k->tree && (k->r || terms_of_mass(&w) <= CARRIED_ABOVE)) return false;
    eq->sheet->steps.count = first;
    w.forces = forces;
    w.body = NEW_ARRAY(w.arena, carried, m->parts.count + 1);
    for (size_t i = 0; i < m->parts.count; i++)
        w.body[i] =
            (carried){.part = &m->parts.at[i], .f = vector_zero(k->ctx), .h = vector_zero(k->ctx)};
    write_equations(&w);
    return true;
}
