/** One thing that `fundus doctor` looked at. `hint`: the service works, but something could be better. */
export interface Finding {
  check: readonly [german: string, english: string]
  state: 'ok' | 'hint' | 'wrong'
  sentence: readonly [german: string, english: string]
}
