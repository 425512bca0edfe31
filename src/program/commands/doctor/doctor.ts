/** `fundus doctor`: checks machine and instance, and says what to do about problems. */
import type { TextPair } from '../../../base/language.ts'
import type { Command } from '../command.ts'
import { parseOptions } from '../options.ts'
import { examineData } from './doctor-data.ts'
import type { Finding } from './doctor-finding.ts'
import { examineMachine } from './doctor-machine.ts'
import { examineNetwork } from './doctor-network.ts'

/** The words for the states of findings. If a finding is `wrong`, the exit code of the command is 1. */
const STATE_WORDS: Readonly<Record<Finding['state'], TextPair>> = {
  ok: ['gut', 'well'],
  hint: ['Hinweis', 'hint'],
  wrong: ['FEHLER', 'WRONG'],
}

export const command: Command = {
  help: [
    `fundus doctor [--json]

  Sieht sich an, was Fundus braucht: Laufzeit, Platz, Rechte, Uhr, Port, Adresse und Proxy, ffmpeg, Alter der Sicherung.
  Sagt zu jedem Fund, was zu tun ist, und ändert nichts. Der Dienst darf laufen.

  --json              Funde als JSON

  Rückgabewert: 0 nichts ist falsch, 1 etwas ist falsch, 2 so nicht ausführbar.`,
    `fundus doctor [--json]

  Looks at what Fundus needs: runtime, disk, rights, clock, port, address and proxy, ffmpeg, age of the backup. Says what to do
  about each finding, and changes nothing. The service may run.

  --json              findings as JSON

  Exit code: 0 nothing is wrong, 1 something is wrong, 2 cannot be run like this.`,
  ],

  async run({ config, log, args, formatter, print, fail }) {
    const { json } = parseOptions(args, { json: { type: 'boolean' } })
    const dataExamination = await examineData(config, log)
    const findings: Finding[] = [
      ...(await examineMachine()),
      ...dataExamination.findings,
      ...(await examineNetwork(config, dataExamination.publicUrl)),
    ]
    const shownFindings = findings.map(({ check, state, sentence }) => ({
      // In JSON a check has the same name in every language.
      check: json ? check[1] : formatter.localize(...check),
      state,
      sentence: formatter.localize(...sentence),
    }))
    if (json) print(JSON.stringify(shownFindings))
    else
      for (const { check, state, sentence } of shownFindings)
        print(`  ${formatter.localize(...STATE_WORDS[state]).padEnd(8)} ${check.padEnd(10)} ${sentence}`)
    if (findings.some(({ state }) => state === 'wrong')) fail()
  },
}
