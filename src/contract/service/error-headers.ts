/** Headers of an error, for programs. */

/** An error's code in the catalogue: one English word, which never changes. */
export const ERROR_CODE = 'X-Fehler-Code'
/** Which field of the request the error is about, where it is about one, such as the name of a setting. */
export const ERROR_FIELD = 'X-Fehler-Feld'
