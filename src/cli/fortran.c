/* cli/fortran.c - the little of Fortran's library that LAPACK calls, where the program holds LAPACK in itself.
 *
 * The library as a whole would come with its quadruple precision, which hooks itself into printf: every call of it then takes
 * three times as long, and the start of the program reads Fortran's environment. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void xerbla_(const char *routine, const int *argument, size_t length);
void _gfortran_concat_string(size_t length, char *out, size_t first, const char *a, size_t second,
                             const char *b);

/* LAPACK: an argument is wrong, which is a mistake of ours. */
void xerbla_(const char *routine, const int *argument, size_t length)
{
    fprintf(stderr, "LAPACK: argument %d of %.*s is wrong\n", *argument, (int) length, routine);
    abort();
}

/* a // b, cut or filled with blanks. */
void _gfortran_concat_string(size_t length, char *out, size_t first, const char *a, size_t second,
                             const char *b)
{
    const size_t head = first < length ? first : length, left = length - head;
    const size_t tail = second < left ? second : left;
    memcpy(out, a, head);
    memcpy(out + head, b, tail);
    memset(out + head + tail, ' ', left - tail);
}
