import type { TextPair } from '../../../base/language.ts'

/** The result of one check of `fundus doctor`. `hint`: the service works, but something could be better. */
export interface Finding {
  check: TextPair
  state: 'ok' | 'hint' | 'wrong'
  sentence: TextPair
}

const findingWithState =
  (state: Finding['state']) =>
  (check: TextPair, ...sentence: TextPair): Finding => ({ check, state, sentence })

export const okFinding = findingWithState('ok')
export const hintFinding = findingWithState('hint')
export const wrongFinding = findingWithState('wrong')
