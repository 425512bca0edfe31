/**
 * Codes of sentences, for programs and for the dashboard, which has its own translations. A code is the name
 * of the sentence in the code with dashes (`fileAbsent` → `file-absent`), so these names must never change.
 */
export const codeOf = (name: string) => name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
