/* figure/scene_json.c - a scene with its numbers, for the player.
 *
 *     {"title","flat","up","right","low","high","size","reach","view","follow","ground","axes",
 *      "time":[…],"energy":[…],"kinematic","channels":[number | [number or null, …], …],
 *      "shapes":[{"kind","family","colour","label","at","to","turn","size","points"}, …]}
 *
 * Every number in a shape is the number of a channel; one that does not change is a number alone.
 * A solid's "turn" is a unit quaternion w, x, y, z. */
#include "scene_inside.h"

#include <math.h>
#include <string.h>

enum { DIGITS = 6 };

/* How a channel comes from the numbers of the extras, for a picture that is computed in the page:
 * ["x", i], ["place", i, axis] in a configuration space, ["size", i, factor] of |extra|, ["turn",
 * shape, k], or a number. */
typedef struct recipe_of {
    const char *how; /* NULL: a number */
    double number;
    size_t a, b;
} recipe_of;

typedef struct series {
    double *at; /* a value each frame */
    recipe_of from;
} series;

typedef struct writer {
    json j;
    picture p;
    arena *arena;
    uint32_t *channel; /* of each extra: its series, or SCENE_NONE so far */
    uint32_t nothing;  /* the series of zeros, or SCENE_NONE */
    LIST(series) series;
} writer;

static const char *const kinds[] = {
#define X(code, word) word,
    SCENE_KIND_LIST(X)
#undef X
};

/* ---- Channels -------------------------------------------------------------------------------- */

static uint32_t new_series(writer *w)
{
    const series s = {.at = NEW_ARRAY(w->arena, double, w->p.frames + 1)};
    LIST_PUSH(w->arena, &w->series, s);
    return (uint32_t) (w->series.count - 1);
}

static void say_recipe(writer *w, uint32_t s, const char *how, size_t a, size_t b, double number)
{
    w->series.at[s].from = (recipe_of){how, number, a, b};
}

static uint32_t series_of(writer *w, scene_channel c)
{
    uint32_t *known = c == SCENE_NONE ? &w->nothing : &w->channel[c];
    if (*known != SCENE_NONE) return *known;
    *known = new_series(w);
    say_recipe(w, *known, c == SCENE_NONE ? NULL : "x", c, 0, 0);
    for (size_t f = 0; f < w->p.frames && c != SCENE_NONE; f++)
        w->series.at[*known].at[f] = picture_value(&w->p, c, w->p.row[f]);
    return *known;
}

static void write_number(writer *w, double x)
{
    if (!isfinite(x)) {
        json_null(&w->j);
        return;
    }
    const arena_mark mark = arena_get_mark(&w->p.s->model->ctx->scratch);
    text t = text_begin(&w->p.s->model->ctx->scratch);
    /* what is nothing beside the picture is nothing */
    text_double(&t, fabs(x) < 1e-9 * w->p.view ? 0 : x, DIGITS);
    json_raw(&w->j, text_end(&t));
    arena_release(&w->p.s->model->ctx->scratch, mark);
}

static void write_series(writer *w, const double *at)
{
    double low = INFINITY, high = -INFINITY;
    bool whole = true;
    for (size_t f = 0; f < w->p.frames; f++) {
        whole &= isfinite(at[f]);
        low = fmin(low, at[f]);
        high = fmax(high, at[f]);
    }
    if (whole && high - low <= 1e-9 * fmax(fmax(fabs(low), fabs(high)), 0.01 * w->p.view)) {
        write_number(w, w->p.frames ? at[0] : 0);
        return;
    }
    json_array(&w->j);
    for (size_t f = 0; f < w->p.frames; f++) write_number(w, at[f]);
    json_close(&w->j);
}

/* ---- Shapes ---------------------------------------------------------------------------------- */

static void write_vector(writer *w, const char *key, scene_vector v)
{
    if (v.c[0] == SCENE_NONE) return;
    if (key) json_key(&w->j, key);
    json_array(&w->j);
    for (int k = 0; k < 3; k++) json_int(&w->j, series_of(w, v.c[k]));
    json_close(&w->j);
}

/* In a configuration space the place is that in its box. */
static void write_place(writer *w, scene_vector v)
{
    if (!w->p.s->axes[0]) {
        write_vector(w, "at", v);
        return;
    }
    json_key(&w->j, "at");
    json_array(&w->j);
    for (int k = 0; k < 3; k++) {
        const uint32_t s = new_series(w);
        for (size_t f = 0; f < w->p.frames; f++)
            w->series.at[s].at[f] = picture_place(&w->p, v, w->p.row[f]).x[k];
        say_recipe(w, s, "place", v.c[k], (size_t) k, 0);
        json_int(&w->j, s);
    }
    json_close(&w->j);
}

/* Of the rotation with these columns; after Shepperd: by the largest of the four. */
static void quaternion(const vec3 a[3], double q[4])
{
    const double xx = a[0].x[0], yy = a[1].x[1], zz = a[2].x[2];
    const double four[4] = {1 + xx + yy + zz, 1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz};
    int k = 0;
    for (int i = 1; i < 4; i++)
        if (four[i] > four[k]) k = i;
    /* products 4 q_i q_j, as sums and differences of the elements */
    const double wx = a[1].x[2] - a[2].x[1], wy = a[2].x[0] - a[0].x[2], wz = a[0].x[1] - a[1].x[0];
    const double xy = a[0].x[1] + a[1].x[0], yz = a[1].x[2] + a[2].x[1], zx = a[2].x[0] + a[0].x[2];
    const double product[4][4] = {
        {four[0], wx, wy, wz}, {wx, four[1], xy, zx}, {wy, xy, four[2], yz}, {wz, zx, yz, four[3]}};
    const double largest = sqrt(fmax(four[k], 0));
    for (int i = 0; i < 4; i++) q[i] = product[k][i] / (2 * largest);
}

/* q and −q are one rotation: the nearer one to the frame before. */
static void write_turn(writer *w, const scene_shape *shape, size_t number)
{
    uint32_t s[4];
    double before[4] = {1, 0, 0, 0};
    for (int k = 0; k < 4; k++) {
        s[k] = new_series(w);
        say_recipe(w, s[k], "turn", number, (size_t) k, 0);
    }
    for (size_t f = 0; f < w->p.frames; f++) {
        vec3 axis[3];
        double q[4], along = 0;
        picture_frame(&w->p, shape, w->p.row[f], axis);
        quaternion(axis, q);
        for (int k = 0; k < 4; k++) along += q[k] * before[k];
        for (int k = 0; k < 4; k++) {
            w->series.at[s[k]].at[f] = along < 0 ? -q[k] : q[k];
            if (isfinite(along)) before[k] = along < 0 ? -q[k] : q[k];
        }
    }
    json_key(&w->j, "turn");
    json_array(&w->j);
    for (int k = 0; k < 4; k++) json_int(&w->j, s[k]);
    json_close(&w->j);
}

/* As picture_size. */
static void say_size(writer *w, uint32_t s, const scene_shape *shape, int k)
{
    const bool share = k == 1 && shape->size[0] != SCENE_NONE;
    if (shape->size[k] != SCENE_NONE)
        say_recipe(w, s, "size", shape->size[k], 0, 1);
    else if (share && (shape->kind == SCENE_WHEEL || shape->kind == SCENE_DISC))
        say_recipe(w, s, "size", shape->size[0], 0, shape->kind == SCENE_WHEEL ? 0.16 : 0.08);
    else
        say_recipe(w, s, NULL, 0, 0, w->p.frames ? w->series.at[s].at[0] : 0);
}

static void write_sizes(writer *w, const scene_shape *shape)
{
    static const int counts[] = {
        [SCENE_DISC] = 2,  [SCENE_WHEEL] = 2, [SCENE_SPHERE] = 1, [SCENE_ELLIPSOID] = 3,
        [SCENE_TORUS] = 2, [SCENE_CONE] = 2,  [SCENE_BOX] = 3,    [SCENE_BLADE] = 1,
        [SCENE_ARROW] = 1, [SCENE_CURVE] = 0};
    if (!counts[shape->kind]) return;
    json_key(&w->j, "size");
    json_array(&w->j);
    for (int k = 0; k < counts[shape->kind]; k++) {
        const uint32_t s = new_series(w);
        for (size_t f = 0; f < w->p.frames; f++)
            w->series.at[s].at[f] = picture_size(&w->p, shape, k, w->p.row[f]);
        say_size(w, s, shape, k);
        json_int(&w->j, s);
    }
    json_close(&w->j);
}

/* Extras by number: the axes of a solid, or its axis and the angle about it. */
static void write_extras(writer *w, const char *key, scene_vector v)
{
    if (key) json_key(&w->j, key);
    json_array(&w->j);
    for (int k = 0; k < 3; k++) json_int(&w->j, v.c[k] == SCENE_NONE ? -1 : (long) v.c[k]);
    json_close(&w->j);
}

static void write_frame(writer *w, const scene_shape *shape)
{
    if (shape->framed) {
        json_key(&w->j, "frame");
        json_array(&w->j);
        for (int k = 0; k < 3; k++) write_extras(w, NULL, shape->frame[k]);
        json_close(&w->j);
        return;
    }
    if (shape->to.c[0] != SCENE_NONE) write_extras(w, "axis", shape->to);
    json_key(&w->j, "spin");
    json_int(&w->j, shape->turn == SCENE_NONE ? -1 : (long) shape->turn);
}

static void write_shape(writer *w, const scene_shape *shape, int colour, size_t number)
{
    const bool solid = picture_is_solid(shape->kind);
    json_object(&w->j);
    json_key(&w->j, "kind");
    json_string(&w->j, kinds[shape->kind]);
    if (shape->kind == SCENE_ARROW) {
        json_key(&w->j, "family");
        json_int(&w->j, shape->family);
    }
    json_key(&w->j, "colour");
    json_string(&w->j, model_colours[colour]);
    if (shape->label) {
        json_key(&w->j, "label");
        json_string(&w->j, shape->label);
    }
    if (shape->at.c[0] != SCENE_NONE) write_place(w, shape->at);
    if (!solid) write_vector(w, "to", shape->to);
    if (solid) write_turn(w, shape, number);
    if (solid && w->p.s->live) write_frame(w, shape);
    write_sizes(w, shape);
    if (shape->points.count) {
        json_key(&w->j, "points");
        json_array(&w->j);
        for (size_t i = 0; i < shape->points.count; i++) write_vector(w, NULL, shape->points.at[i]);
        json_close(&w->j);
    }
    json_close(&w->j);
}

/* ---- The whole ------------------------------------------------------------------------------- */

static void write_vec3(writer *w, const char *key, vec3 v)
{
    json_key(&w->j, key);
    json_array(&w->j);
    for (int k = 0; k < 3; k++) write_number(w, v.x[k]);
    json_close(&w->j);
}

static void write_pair(writer *w, const char *key, double x)
{
    json_key(&w->j, key);
    write_number(w, x);
}

static void write_view(writer *w)
{
    const picture *p = &w->p;
    json_key(&w->j, "title");
    json_string(&w->j, p->s->model->title);
    json_key(&w->j, "flat");
    json_bool(&w->j, p->flat);
    json_key(&w->j, "follow");
    json_bool(&w->j, p->follow);
    write_vec3(w, "up", p->up);
    write_vec3(w, "right", p->right);
    write_vec3(w, "low", p->low);
    write_vec3(w, "high", p->high);
    write_pair(w, "size", p->size);
    write_pair(w, "reach", p->reach);
    write_pair(w, "view", p->view);
    write_pair(w, "ground", p->ground);
    if (!p->s->axes[0]) return;
    json_key(&w->j, "axes");
    json_array(&w->j);
    for (int k = 0; k < 2; k++) {
        json_object(&w->j);
        json_key(&w->j, "name");
        json_string(&w->j, p->s->axes[k]);
        write_pair(w, "low", p->shown[0].x[k]);
        write_pair(w, "high", p->shown[1].x[k]);
        json_close(&w->j);
    }
    json_close(&w->j);
}

static void write_column(writer *w, const char *key, const char *name)
{
    const size_t column = trajectory_column(w->p.tr, name);
    json_key(&w->j, key);
    json_array(&w->j);
    for (size_t f = 0; f < w->p.frames && column != SIZE_MAX; f++) {
        text n = text_begin(w->arena);
        const double x = w->p.tr->at[w->p.row[f] * w->p.tr->columns + column];
        if (isfinite(x)) text_double(&n, x, 2 * DIGITS);
        json_raw(&w->j, isfinite(x) ? text_end(&n) : "null");
    }
    json_close(&w->j);
}

static void write_recipes(writer *w)
{
    json_key(&w->j, "recipes");
    json_array(&w->j);
    for (size_t i = 0; i < w->series.count; i++) {
        const recipe_of *r = &w->series.at[i].from;
        if (!r->how) {
            write_number(w, r->number);
            continue;
        }
        json_array(&w->j);
        json_string(&w->j, r->how);
        json_int(&w->j, r->a == SCENE_NONE ? -1 : (long) r->a);
        if (!strcmp(r->how, "size"))
            json_number(&w->j, r->number);
        else
            json_int(&w->j, (long) r->b);
        json_close(&w->j);
    }
    json_close(&w->j);
}

/* Of <, > and & only the escaped forms: nothing in a string can end the <script> around it. */
static void add_escaped(text *t, const char *s)
{
    for (; *s; s++)
        if (*s == '<' || *s == '>' || *s == '&')
            text_printf(t, "\\u%04x", (unsigned char) *s);
        else
            text_char(t, *s);
}

void scene_json(text *t, const scene *s, const trajectory *tr)
{
    arena *a = &s->model->ctx->job;
    writer w = {.j = json_begin(a), .arena = a, .p = picture_make(a, s, tr), .nothing = SCENE_NONE};
    w.channel = NEW_ARRAY(a, uint32_t, s->extras.count + 1);
    for (size_t i = 0; i < s->extras.count; i++) w.channel[i] = SCENE_NONE;
    json_object(&w.j);
    write_view(&w);
    write_column(&w, "time", "t");
    write_column(&w, "energy", "energy");
    json_key(&w.j, "kinematic");
    json_bool(&w.j, s->model->kinematic);
    json_key(&w.j, "shapes");
    json_array(&w.j);
    for (size_t i = 0; i < s->shapes.count; i++)
        write_shape(&w, &s->shapes.at[i], picture_colour(s, i), i);
    json_close(&w.j);
    json_key(&w.j, "channels");
    json_array(&w.j);
    for (size_t i = 0; i < w.series.count; i++) write_series(&w, w.series.at[i].at);
    json_close(&w.j);
    if (s->live) write_recipes(&w);
    json_close(&w.j);
    add_escaped(t, json_end(&w.j));
}
