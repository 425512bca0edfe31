import type { Text } from '../../../base/language.ts'

/** A result of `fundus doctor`. `hint`: the service works, but something could be better. */
export interface Finding {
  check: Text
  state: 'ok' | 'hint' | 'wrong'
  sentence: Text
}

const findingOf =
  (state: Finding['state']) =>
  (check: Text, ...sentence: Text): Finding => ({ check, state, sentence })

export const ok = findingOf('ok')
export const hint = findingOf('hint')
export const wrong = findingOf('wrong')
