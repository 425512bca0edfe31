/** Response headers with which programs can recognise an error. */

/** The code of an error, which never changes. */
export const ERROR_CODE_HEADER = 'X-Fehler-Code'
/** The name of the setting that caused the error, if one did. */
export const ERROR_FIELD_HEADER = 'X-Fehler-Feld'
