import type { Text } from '../../../base/language.ts'

/** A result of `fundus doctor`. `hint`: the service works, but something could be better. */
export interface Finding {
  check: Text
  state: 'ok' | 'hint' | 'wrong'
  sentence: Text
}

const finding =
  (state: Finding['state']) =>
  (check: Text, ...sentence: Text): Finding => ({ check, state, sentence })

export const ok = finding('ok')
export const hint = finding('hint')
export const wrong = finding('wrong')
