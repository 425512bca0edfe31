/** Headers of an error, for programs. */

/** The code of an error, which never changes. */
export const ERROR_CODE = 'X-Fehler-Code'
/** The field that the error is about, if any, such as the name of a setting. */
export const ERROR_FIELD = 'X-Fehler-Feld'
