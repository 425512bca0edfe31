/** Response headers with which programs can recognise an error. */

/** The code of the error, such as `file-absent`. Codes never change. */
export const ERROR_CODE_HEADER = 'X-Fehler-Code'
/** The name of the invalid setting, if that is the error. */
export const ERROR_FIELD_HEADER = 'X-Fehler-Feld'
