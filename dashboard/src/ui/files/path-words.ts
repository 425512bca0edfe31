import {
  PATH_FAULTS,
  PATH_FAULTS_ENGLISH,
  type PathFault,
} from '../../../../src/contract/paths/path-rules.ts'
import { defineWords } from '../../language/words.ts'

/** The sentence about the rule that a path breaks. The German one is the same as that of the service. */
const pathSentences = (fault: PathFault) => ({
  de: `Der Pfad ist ungültig: ${PATH_FAULTS[fault]}.`,
  en: `The path is not valid: ${PATH_FAULTS_ENGLISH[fault]}.`,
})

export const pathWords = defineWords({
  empty: pathSentences('empty'),
  long: pathSentences('long'),
  deep: pathSentences('deep'),
  gap: pathSentences('gap'),
  letters: pathSentences('letters'),
})
