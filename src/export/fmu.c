/* export/fmu.c - an FMU: description, sources, binary, in one archive. */
#include "fmu.h"

#include "zip.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Lists ----------------------------------------------------------------------------------- */

/* The parameters that the first `count` outputs depend on: back through the operations, whose
 * constants come first, and then through what made these. */
static void reach(exported *e, const program *p, size_t count, bool *reached)
{
    bool *needed = NEW_ARRAY(e->arena, bool, p->code.count + 1);
    for (size_t i = 0; i < count && i < p->outputs; i++) needed[p->output[i]] = true;
    for (size_t i = p->code.count; i-- > p->constants.count;) {
        const program_code *c = &p->code.at[i];
        if (needed[i] && c->op != PROGRAM_INPUT) needed[c->a] = needed[c->b] = true;
    }
    for (size_t i = p->setup.count; i-- > 0;) {
        const program_setup *s = &p->setup.at[i];
        if (!needed[s->to]) continue;
        if (s->code.op == PROGRAM_INPUT)
            reached[s->code.a] = true;
        else
            needed[s->code.a] = needed[s->code.b] = true;
    }
}

/* Where velocities follow from the state, only constraints on places can be left by a parameter. */
static void choose_tunable(exported *e)
{
    const program *p = e->code->program[MOTION_RESIDUALS];
    bool *reached = NEW_ARRAY(e->arena, bool, e->parameters.count + e->inputs.count + 1);
    size_t places = 0;
    for (size_t i = 0; i < e->model->constraints.count; i++)
        places += e->model->constraints.at[i].order == MODEL_HOLONOMIC;
    if (p) reach(e, p, e->code->psi ? places : p->outputs, reached);
    for (size_t i = 0; i < e->parameters.count; i++) e->parameters.at[i].tunable = !reached[i];
}

static void take_units(exported *e, const exported_items *list)
{
    for (size_t i = 0; i < list->count; i++) {
        const char *unit = list->at[i].unit;
        size_t k = 0;
        if (!unit) continue;
        while (k < e->units.count && strcmp(e->units.at[k].name, unit)) k++;
        if (k == e->units.count)
            LIST_PUSH(e->arena, &e->units, ((exported_item){.name = unit, .value = NAN}));
    }
}

/* An output may be called like a coordinate; variables of an FMU may not. */
static void rename_outputs(exported *e)
{
    const exported_items *others[] = {&e->states, &e->parameters, &e->signals};
    for (size_t i = 0; i < e->outputs.count; i++)
        for (size_t k = 0; k < 3; k++)
            for (size_t j = 0; j < others[k]->count; j++)
                if (!strcmp(others[k]->at[j].name, e->outputs.at[i].name))
                    e->outputs.at[i].name =
                        arena_printf(e->arena, "output %s", e->outputs.at[i].name);
}

void export_fmu_lists(exported *e)
{
    choose_tunable(e);
    take_units(e, &e->states);
    take_units(e, &e->parameters);
    take_units(e, &e->signals);
    take_units(e, &e->outputs);
    rename_outputs(e);
}

/* From what is in it: another model is another FMU. */
static const char *guid_of(exported *e, const char *content, unsigned fmi)
{
    uint64_t a = 0xcbf29ce484222325u + fmi, b = 0x6c62272e07bb0142u;
    for (const char *s = content; *s; s++) {
        a = (a ^ (unsigned char) *s) * 0x100000001b3u;
        b = (b + (unsigned char) *s) * 0x9e3779b97f4a7c15u ^ b >> 29;
    }
    return arena_printf(e->arena, "{%08x-%04x-%04x-%04x-%012llx}", (unsigned) (a >> 32),
                        (unsigned) (a >> 16 & 0xffff), (unsigned) (a & 0xffff),
                        (unsigned) (b >> 48), (unsigned long long) (b & 0xffffffffffffu));
}

/* ---- The binary ------------------------------------------------------------------------------ */

static bool write_file(const char *path, const char *content)
{
    FILE *f = fopen(path, "wx");
    if (!f) return false;
    const bool written = fputs(content, f) >= 0;
    return fclose(f) == 0 && written;
}

static char *read_file(arena *a, const char *path, size_t *length)
{
    FILE *f = fopen(path, "rb");
    if (!f) return NULL;
    text t = text_begin(a);
    char part[4096];
    for (size_t got; (got = fread(part, 1, sizeof part, f)) > 0;) text_add_n(&t, part, got);
    fclose(f);
    *length = t.length;
    return text_end(&t);
}

typedef struct build {
    const char *folder, *names[5];
} build;

enum { PATH_MOST = 4096 + 256 }; /* a folder's, as the kernel has it, and a name */

static void remove_build(void *data)
{
    const build *b = data;
    char path[PATH_MOST];
    for (size_t i = 0; i < 5 && b->names[i]; i++) {
        snprintf(path, sizeof path, "%s/%s", b->folder, b->names[i]);
        unlink(path);
    }
    rmdir(b->folder);
}

/* The shared object of this machine; NULL: there is no compiler, or no folder it could write to. */
static const char *compile(exported *e, const ah_file *file, size_t files, size_t *length)
{
    const char *base = getenv("TMPDIR");
    char *folder = arena_printf(e->arena, "%s/anholo_XXXXXX", base && *base ? base : "/tmp");
    build b = {.folder = folder};
    ctx_held held;
    const char *out = NULL, *sources[2] = {NULL};
    bool good = true;
    if (!mkdtemp(folder)) return NULL;
    ctx_hold(e->ctx, &held, remove_build, &b);
    for (size_t i = 0; i < files; i++) {
        const char *path = arena_printf(e->arena, "%s/%s", folder, file[i].name);
        b.names[i] = file[i].name;
        good = good && write_file(path, file[i].data);
        if (path[strlen(path) - 1] == 'c') sources[sources[0] != NULL] = path;
    }
    b.names[files] = "binary.so";
    const char *to = arena_printf(e->arena, "%s/binary.so", folder);
    const char *words[] = {"cc",
                           "-std=c99",
                           export_is_long(e) ? "-O1" : "-O2",
                           "-ffp-contract=off",
                           "-fPIC",
                           "-shared",
                           "-fvisibility=hidden",
                           "-Wl,--build-id=none",
                           "-s",
                           sources[0],
                           sources[1],
                           "-o",
                           to,
                           "-lm",
                           NULL};
    if (good && engine_run_cc(e->ctx, words)) out = read_file(e->arena, to, length);
    ctx_drop(e->ctx, &held);
    return out;
}

/* ---- The whole ------------------------------------------------------------------------------- */

static const char *binary_name(const exported *e, unsigned fmi)
{
#if defined __x86_64__ && defined __linux__
    return arena_printf(e->arena, "binaries/%s/%s.so", fmi == 2 ? "linux64" : "x86_64-linux",
                        e->name);
#elif defined __aarch64__ && defined __linux__
    return fmi == 2 ? NULL : arena_printf(e->arena, "binaries/aarch64-linux/%s.so", e->name);
#else
    (void) e, (void) fmi;
    return NULL;
#endif
}

static void add(exported *e, zip *z, const char *name, const char *content)
{
    (void) e;
    zip_add(z, name, content, strlen(content));
}

bool export_fmu(exported *e, const ah_export_options *options, ah_export *out)
{
    const unsigned fmi = options->fmi;
    arena *a = e->arena;
    if (!e->started) {
        diag(e->ctx, A0605, NOWHERE, "an FMU begins somewhere, and the model does not say where");
        diag_hint(e->ctx, "give the model a `start`");
        return false;
    }
    const char *c_name = arena_printf(a, "%s.c", e->name);
    const char *h_name = arena_printf(a, "%s.h", e->name);
    const char *c = export_template(e, "NAME.c"), *h = export_template(e, "NAME.h");
    export_fmu_lists(e);
    e->guid = guid_of(e, arena_printf(a, "%s%s", h, c), fmi);
    const char *core = export_template(e, "fmu_core.h");
    const char *fmu = export_template(e, fmi == 2 ? "fmi2.c" : "fmi3.c");
    const ah_file sources[] = {{c_name, c, strlen(c)},
                               {h_name, h, strlen(h)},
                               {"fmu_core.h", core, strlen(core)},
                               {"fmu.c", fmu, strlen(fmu)}};
    zip *z = zip_begin(a);
    add(e, z, "modelDescription.xml", export_template(e, fmi == 2 ? "fmi2.xml" : "fmi3.xml"));
    add(e, z, fmi == 2 ? "documentation/licence.txt" : "documentation/licenses/licence.txt",
        export_template(e, "licence.txt"));
    for (size_t i = 0; i < 4; i++)
        zip_add(z, arena_printf(a, "sources/%s", sources[i].name), sources[i].data,
                sources[i].length);
    if (fmi == 3)
        add(e, z, "sources/buildDescription.xml", export_template(e, "buildDescription.xml"));
    size_t length = 0;
    const char *name = binary_name(e, fmi);
    const char *binary = options->sources_only || !name ? NULL : compile(e, sources, 4, &length);
    if (binary)
        zip_add(z, name, binary, length);
    else
        out->remark = options->sources_only
                          ? "sources alone, no binary"
                          : "sources alone: no compiler, or no room for it, was found here";
    ah_file *file = NEW(a, ah_file);
    file->name = arena_printf(a, "%s.fmu", e->name);
    file->data = zip_end(z, &file->length);
    out->file = file;
    out->files = 1;
    return true;
}
