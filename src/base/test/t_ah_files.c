/* The reader of .ah expectations (tests/harness/ah_files.h). */
#include "ah_files.h"
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void write_file(const char *dir, const char *name, const char *content)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    FILE *file = fopen(path, "wb");
    if (!file) return;
    fputs(content, file);
    fclose(file);
}

static void remove_file(const char *dir, const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    remove(path);
}

static void look(const ah_file *file, void *user)
{
    int *seen = user;
    if ((*seen)++ == 0) {
        CHECK(strstr(file->path, "/a.ah"));
        CHECK_INT(file->errors, 0);
        CHECK_INT(file->length, 6);
        return;
    }
    CHECK(strstr(file->path, "/b.ah"));
    REQUIRE(file->errors == 2 && file->expects == 2);
    CHECK_STR(file->error[0].code, "A0207");
    CHECK_INT(file->error[0].line, 14);
    CHECK_INT(file->error[0].column, 2);
    CHECK(!file->error[0].warning);
    CHECK_STR(file->error[1].code, "A0310");
    CHECK(file->error[1].warning);
    CHECK_STR(file->expect[0].key, "T");
    CHECK_STR(file->expect[0].value, "m*x'^2/2 = 0");
    CHECK_STR(file->expect[1].key, "rank");
    CHECK_STR(file->expect[1].value, "");
}

TEST(ah_files_gives_expectations)
{
    char dir[] = "/tmp/ah_files_XXXXXX";
    REQUIRE(mkdtemp(dir));
    write_file(dir, "b.ah",
               "# error A0207 14:2\n"
               "  #warning A0310  3:1 \r\n"
               "# error of the paper, prose\n"
               "# errors are human\n"
               "x = 1 # error A0001 1:1\n"
               "# expect T = m*x'^2/2 = 0\r\n"
               "# expect rank =");
    write_file(dir, "a.ah", "system");
    write_file(dir, "other.txt", "# error A0207 1:1\n");
    int seen = 0;
    CHECK_INT(ah_files_each(dir, look, &seen), 2);
    CHECK_INT(seen, 2);
    remove_file(dir, "a.ah");
    remove_file(dir, "b.ah");
    remove_file(dir, "other.txt");
    rmdir(dir);
    CHECK_INT(ah_files_each(dir, look, &seen), -1);
}
