/**
 * Returns the code of an error sentence or check result, for programs and for the dashboard, which has its
 * own translations. A code is the sentence's name in the source with dashes (`fileAbsent` → `file-absent`),
 * so these names must never change.
 */
export const codeFromName = (name: string) => name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
