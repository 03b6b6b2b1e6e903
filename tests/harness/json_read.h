/* json_read.h - reading JSON in tests: reference data, answers of the program. */
#ifndef HARNESS_JSON_READ_H
#define HARNESS_JSON_READ_H
#include <stdbool.h>
#include <stddef.h>

typedef enum json_kind {
    JSON_NULL,
    JSON_TRUE,
    JSON_FALSE,
    JSON_NUMBER,
    JSON_STRING,
    JSON_ARRAY,
    JSON_OBJECT
} json_kind;

typedef struct json_tree {
    json_kind kind;
    char *text; /* of a string, unescaped; of a number as written                    */
    char *key;  /* of a member of an object                                           */
    struct json_tree *first, *next; /* children of an array or object; the next sibling */
} json_tree;

/* NULL when it is no JSON. */
json_tree *json_tree_parse(const char *text);
json_tree *json_tree_read(const char *path); /* of a file */
void json_tree_free(json_tree *t);

/* All of these accept NULL and answer NULL, 0 or NaN then. */
const json_tree *json_tree_get(const json_tree *object, const char *key);
const json_tree *json_tree_at(const json_tree *array, size_t index);
size_t json_tree_count(const json_tree *t);
/* Of a number, or of a string that holds one (the reference data does). */
double json_tree_number(const json_tree *t);

#endif
