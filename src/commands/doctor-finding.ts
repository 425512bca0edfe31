/** One thing that `fundus doctor` looked at. `hint`: the service works, but something could be better. */
export interface Finding {
  check: InBoth
  state: 'ok' | 'hint' | 'wrong'
  sentence: InBoth
}

export type InBoth = readonly [german: string, english: string]

const finding =
  (state: Finding['state']) =>
  (check: InBoth, ...sentence: InBoth): Finding => ({ check, state, sentence })

export const ok = finding('ok')
export const hint = finding('hint')
export const wrong = finding('wrong')
