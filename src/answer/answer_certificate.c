/* answer/answer_certificate.c - proofs as JSON (docs/certificates.md,
 * docs/schema/certificate.json). A polynomial is a list of terms [coefficient, generator, exponent,
 * generator, exponent, …]. */
#include "answer_certificate.h"

typedef struct writer {
    json j;
    ah_model *model;
    size_t generators;
} writer;

static void write_expr(writer *w, const char *key, ah_expr e)
{
    json_key(&w->j, key);
    json_string(&w->j, expr_text(w->model->ctx, &w->model->ctx->job, e, AH_ASCII));
}

static void write_poly(writer *w, const proof_poly *a)
{
    json_array(&w->j);
    for (size_t i = 0; i < a->terms; i++) {
        json_array(&w->j);
        json_raw(&w->j, a->coefficient[i]);
        for (size_t k = 0; k < w->generators; k++) {
            if (!a->exponent[i * w->generators + k]) continue;
            json_int(&w->j, (long long) k);
            json_int(&w->j, a->exponent[i * w->generators + k]);
        }
        json_close(&w->j);
    }
    json_close(&w->j);
}

static void write_key_poly(writer *w, const char *key, const proof_poly *a)
{
    json_key(&w->j, key);
    write_poly(w, a);
}

static void write_cofactors(writer *w, const proof_cofactors *by)
{
    json_key(&w->j, "sum");
    json_array(&w->j);
    for (size_t i = 0; i < by->count; i++) {
        json_array(&w->j);
        json_int(&w->j, (long long) by->at[i].of);
        write_poly(w, &by->at[i].by);
        json_close(&w->j);
    }
    json_close(&w->j);
}

/* [c, s] for each c s² */
static void write_squares(writer *w, const proof_square_list *list)
{
    json_key(&w->j, "squares");
    json_array(&w->j);
    for (size_t i = 0; i < list->count; i++) {
        json_array(&w->j);
        json_raw(&w->j, list->at[i].c);
        write_poly(w, &list->at[i].s);
        json_close(&w->j);
    }
    json_close(&w->j);
}

/* ---- Rows ------------------------------------------------------------------------------------ */

static const char *const row_words[] = {
#define X(code, word) word,
    CERTIFICATE_ROW_LIST(X)
#undef X
};

static void write_row(writer *w, const certificate_row *row, const proof_poly *a,
                      const proof_poly *denominator)
{
    json_object(&w->j);
    json_key(&w->j, "is");
    json_string(&w->j, row_words[row->is]);
    if (row->of) {
        json_key(&w->j, "of");
        json_string(&w->j, row->of);
    }
    if (row->constraint) {
        json_key(&w->j, "constraint");
        json_string(&w->j, row->constraint);
    }
    write_key_poly(w, "polynomial", a);
    write_key_poly(w, "denominator", denominator);
    json_close(&w->j);
}

/* Rows of the motion, then given ones: their places follow those of the relations. */
static void write_rows(writer *w, const certificate *c)
{
    json_key(&w->j, "rows");
    json_array(&w->j);
    const proof_poly *denominator = c->proof.denominator_of.at;
    for (size_t i = 0; i < c->rows.count; i++)
        write_row(w, &c->rows.at[i], &c->proof.rows.at[i], &denominator[i]);
    for (size_t i = 0; i < c->given.count; i++)
        write_row(w, &c->given.at[i], &c->proof.given.at[i], &denominator[c->rows.count + i]);
    json_close(&w->j);
}

static void write_generators(writer *w, const proof *p)
{
    json_key(&w->j, "generators");
    json_array(&w->j);
    for (size_t i = 0; i < p->generators; i++)
        json_string(&w->j,
                    expr_text(w->model->ctx, &w->model->ctx->job, p->generator[i], AH_ASCII));
    json_close(&w->j);
    json_key(&w->j, "relations");
    json_array(&w->j);
    for (size_t i = 0; i < p->relations.count; i++) write_poly(w, &p->relations.at[i]);
    json_close(&w->j);
}

/* ---- Steps ----------------------------------------------------------------------------------- */

static const char *const reason_words[] = {
#define X(code, word) word,
    PROOF_REASON_LIST(X)
#undef X
};

static void write_factor(writer *w, const proof_factor *f)
{
    json_object(&w->j);
    write_key_poly(w, "factor", &f->f);
    json_key(&w->j, "because");
    json_string(&w->j, reason_words[f->because]);
    if (f->because == PROOF_ASSUMED) {
        json_key(&w->j, "assumption");
        json_int(&w->j, (long long) f->fact);
    } else if (f->because == PROOF_POSITIVE) {
        json_key(&w->j, "scale");
        json_raw(&w->j, f->scale);
        write_key_poly(w, "form", &f->form);
        if (f->squares.count) write_squares(w, &f->squares);
        write_cofactors(w, &f->by);
    }
    json_close(&w->j);
}

static void write_factors(writer *w, const proof_branch *b)
{
    json_key(&w->j, "factors");
    json_array(&w->j);
    for (size_t i = 0; i < b->factors.count; i++) write_factor(w, &b->factors.at[i]);
    json_close(&w->j);
}

/* k · Π f^power */
static void write_multiplier(writer *w, const proof_step *s)
{
    json_key(&w->j, "multiplier");
    json_array(&w->j);
    json_raw(&w->j, s->scale);
    for (size_t i = 0; i < s->factors; i++) {
        json_int(&w->j, (long long) s->factor[i]);
        json_int(&w->j, s->power[i]);
    }
    json_close(&w->j);
}

static void write_indices(writer *w, const char *key, const uint32_t *at, size_t count)
{
    json_key(&w->j, key);
    json_array(&w->j);
    for (size_t i = 0; i < count; i++) json_int(&w->j, at[i]);
    json_close(&w->j);
}

static void write_branch(writer *w, const proof_branch *b)
{
    json_object(&w->j);
    write_indices(w, "kept", b->row, b->kept);
    if (b->minor) write_indices(w, "minor", b->column, b->kept);
    write_factors(w, b);
    json_key(&w->j, "steps");
    json_array(&w->j);
    for (size_t i = 0; i < b->steps.count; i++) {
        json_object(&w->j);
        write_key_poly(w, "proves", &b->steps.at[i].proves);
        write_multiplier(w, &b->steps.at[i]);
        if (b->steps.at[i].real) write_squares(w, &b->steps.at[i].squares);
        write_cofactors(w, &b->steps.at[i].by);
        json_close(&w->j);
    }
    json_close(&w->j);
    json_close(&w->j);
}

static void write_proof(writer *w, const certificate *c)
{
    const proof *p = &c->proof;
    w->generators = p->generators;
    json_key(&w->j, "proof");
    json_object(&w->j);
    json_key(&w->j, "states");
    json_string(&w->j, c->chart ? "parameters" : "velocities");
    write_generators(w, p);
    write_rows(w, c);
    write_key_poly(w, "claim", &p->claim);
    json_key(&w->j, "denominator");
    json_object(&w->j);
    write_key_poly(w, "polynomial", &p->denominator);
    write_multiplier(w, &p->denominators);
    write_factors(w, &p->domain);
    json_close(&w->j);
    json_key(&w->j, "branches");
    json_array(&w->j);
    for (size_t i = 0; i < p->branches.count; i++) write_branch(w, &p->branches.at[i]);
    json_close(&w->j);
    json_close(&w->j);
}

/* A place of rational coordinates; the cosines and sines of angles are those of 2 atan of the second
 * number. Any will do at which the ranks are those of a general place. */
static void write_place(writer *w)
{
    const ah_model *m = w->model;
    arena *a = &m->ctx->job;
    json_key(&w->j, "proof");
    json_object(&w->j);
    json_key(&w->j, "place");
    json_object(&w->j);
    for (uint32_t i = 0; i < m->n; i++) {
        json_key(&w->j, expr_get_name(m->ctx, m->q.at[i]));
        json_array(&w->j);
        json_string(&w->j, arena_printf(a, "%u/%u", 3 * i + 4, 2 * i + 3));
        json_string(&w->j, arena_printf(a, "%u/%u", i + 2, 3 * i + 7));
        json_close(&w->j);
    }
    json_close(&w->j);
    json_close(&w->j);
}

/* ---- The file -------------------------------------------------------------------------------- */

static void write_equation(writer *w, ah_expr left, ah_expr right)
{
    write_expr(w, "left", left);
    write_expr(w, "right", right);
}

/* The conditions of a claim, as they are put in. */
static void write_when(writer *w, const model_when *when)
{
    arena *a = &w->model->ctx->job;
    ah_ctx *ctx = w->model->ctx;
    json_key(&w->j, "when");
    json_array(&w->j);
    for (size_t i = 0; i < when->values; i++)
        json_string(&w->j,
                    arena_printf(a, "%s = %s", expr_text(ctx, a, when->value[i].symbol, AH_ASCII),
                                 expr_text(ctx, a, when->value[i].value, AH_ASCII)));
    for (size_t i = 0; i < when->equations; i++)
        json_string(&w->j,
                    arena_printf(a, "%s = 0", expr_text(ctx, a, when->equation[i], AH_ASCII)));
    for (size_t i = 0; i < when->conditions; i++) {
        const algebra_fact *f = &when->condition[i];
        json_string(&w->j, arena_printf(a, "%s %s 0", expr_text(ctx, a, f->e, AH_ASCII),
                                        f->border     ? ">="
                                        : f->positive ? ">"
                                                      : "!="));
    }
    json_close(&w->j);
}

static void write_claim(writer *w, const certificate *c)
{
    const model_claim *claim = c->claim->claim;
    json_object(&w->j);
    json_key(&w->j, "label");
    json_string(&w->j, claim->label);
    json_key(&w->j, "says");
    json_string(&w->j, ah_says_word(claim->statement ? claim->statement->says : AH_SAYS_EQUATION));
    if (claim->left != AH_NONE) write_equation(w, claim->left, claim->right);
    if (claim->when) write_when(w, claim->when);
    if (c->why) {
        json_key(&w->j, "proof");
        json_null(&w->j);
        json_key(&w->j, "why");
        json_string(&w->j, c->why);
    } else if (c->place) {
        write_place(w);
    } else {
        write_proof(w, c);
    }
    json_close(&w->j);
}

/* The system as it was read. */
static void write_system(writer *w)
{
    const ah_model *m = w->model;
    json_key(&w->j, "model");
    json_string(&w->j, m->title);
    if (m->settings) {
        json_key(&w->j, "set");
        json_string(&w->j, m->settings);
    }
    write_expr(w, "kinetic", m->T);
    write_expr(w, "potential", m->V);
    json_key(&w->j, "constraints");
    json_array(&w->j);
    for (size_t i = 0; i < m->constraints.count; i++) {
        json_object(&w->j);
        json_key(&w->j, "label");
        json_string(&w->j, m->constraints.at[i].label);
        write_equation(w, m->constraints.at[i].left, m->constraints.at[i].right);
        json_close(&w->j);
    }
    json_close(&w->j);
    json_key(&w->j, "assumptions");
    json_array(&w->j);
    for (size_t i = 0; i < m->facts.count; i++) {
        json_object(&w->j);
        write_expr(w, "expression", m->facts.at[i].e);
        json_key(&w->j, "is");
        json_string(&w->j, m->facts.at[i].border     ? "not negative"
                           : m->facts.at[i].positive ? "positive"
                                                     : "not zero");
        json_close(&w->j);
    }
    json_close(&w->j);
}

const char *certificate_json(ah_model *m, const certificates *c)
{
    writer w = {.j = json_begin(&m->ctx->job), .model = m};
    json_object(&w.j);
    json_key(&w.j, "certificate");
    json_int(&w.j, 1);
    write_system(&w);
    json_key(&w.j, "claims");
    json_array(&w.j);
    for (size_t i = 0; i < c->count; i++) write_claim(&w, &c->at[i]);
    json_close(&w.j);
    json_close(&w.j);
    return json_end(&w.j);
}
