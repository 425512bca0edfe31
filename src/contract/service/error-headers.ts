/** Response headers with which programs can recognise an error. */

/** The code of an error, which never changes. */
export const ERROR_CODE_HEADER = 'X-Fehler-Code'
/** The field that caused the error, if there is one, such as the name of a setting. */
export const ERROR_FIELD_HEADER = 'X-Fehler-Feld'
