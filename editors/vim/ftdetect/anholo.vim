" Written by scripts/editors.
au BufRead,BufNewFile *.ah setfiletype anholo
