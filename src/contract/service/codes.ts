/**
 * Codes of sentences, for programs and for the dashboard, which has its own sentences. A code is the name of
 * its sentence with dashes (`fileAbsent` → `file-absent`), so names never change.
 */
export const codeOf = (name: string) => name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
