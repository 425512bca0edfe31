/**
 * Codes of the sentences that the service sends, for programs and for the dashboard, which says them in its
 * own language. A code is the name of its sentence with dashes (`fileAbsent` → `file-absent`), so that name
 * never changes.
 */
export const codeOf = (name: string) => name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
