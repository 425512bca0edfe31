import { PATH_FAULTS, PATH_MAX_LENGTH, PATH_MAX_LEVELS } from '../../../src/contract/paths.ts'
import { defineWords } from '../language/words.ts'

/** Which rule a path breaks, as a whole sentence. German as the service says it. */
const sentence = (clause: string) => `Der Pfad ist ungültig: ${clause}.`

export const pathWords = defineWords({
  empty: { de: sentence(PATH_FAULTS.empty), en: 'The path is not valid: it is empty.' },
  long: {
    de: sentence(PATH_FAULTS.long),
    en: `The path is not valid: it is longer than ${PATH_MAX_LENGTH} characters.`,
  },
  deep: {
    de: sentence(PATH_FAULTS.deep),
    en: `The path is not valid: it has more than ${PATH_MAX_LEVELS} levels.`,
  },
  gap: { de: sentence(PATH_FAULTS.gap), en: 'The path is not valid: it has an empty part.' },
  letters: {
    de: sentence(PATH_FAULTS.letters),
    en: 'The path is not valid: each part begins with a letter or digit and has only letters (a–z), digits, dots, hyphens and underscores besides.',
  },
})
