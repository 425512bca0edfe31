/** `fundus doctor`: looks at the machine and the instance, and says what to do about what it finds. */
import { speaksEnglish } from '../terminal.ts'
import type { Command } from './command.ts'
import { examineData } from './doctor-data.ts'
import type { Finding } from './doctor-finding.ts'
import { examineMachine } from './doctor-machine.ts'
import { examineNetwork } from './doctor-network.ts'
import { parseOptions } from './options.ts'

/** Only `wrong` makes the exit code 1. */
const STATES = { ok: ['gut', 'well'], hint: ['Hinweis', 'hint'], wrong: ['FEHLER', 'WRONG'] } as const

export const command: Command = {
  help: `fundus doctor [--json]

  Sieht sich an, was Fundus braucht: Laufzeit, Platz, Rechte, Uhr, Port, Adresse und Proxy, ffmpeg, Alter der Sicherung.
  Sagt zu jedem Fund, was zu tun ist, und ändert nichts. Der Dienst darf laufen. Endet mit 1, wenn etwas nicht stimmt.

  --json              Funde als JSON`,

  async run({ config, log, args, print, fail }) {
    const { json } = parseOptions(args, { json: { type: 'boolean' } })
    const language = speaksEnglish(config.environment) ? 1 : 0
    const data = await examineData(config, log)
    const findings: Finding[] = [
      ...(await examineMachine()),
      ...data.findings,
      ...(await examineNetwork(config, data.publicUrl)),
    ]
    const told = findings.map(({ check, state, sentence }) => ({
      // For programs a check has the same name in every language.
      check: check[json ? 1 : language],
      state,
      sentence: sentence[language],
    }))
    if (json) print(JSON.stringify(told))
    else
      for (const { check, state, sentence } of told)
        print(`  ${STATES[state][language].padEnd(8)} ${check.padEnd(10)} ${sentence}`)
    if (findings.some(({ state }) => state === 'wrong')) fail()
  },
}
