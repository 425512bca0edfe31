/**
 * The text for a person at a terminal, where the log shows only warnings and errors by default: the address,
 * the set-up link, the location of the data, how to stop.
 */

import type { Language } from '../base/language.ts'
import { VERSION } from '../base/version.ts'
import { setupLink } from '../contract/accounts/setup-link.ts'

const TERMINAL_TEXTS = {
  de: {
    running: 'läuft.',
    address: 'Adresse',
    setup: 'Einrichtung',
    setupHint: 'Diesen Link im Browser öffnen und das erste Konto anlegen. Er enthält den Einrichtungscode.',
    data: 'Daten',
    stop: 'Beenden',
    keys: 'Strg+C',
    stopping: 'Laufende Anfragen werden noch beantwortet; noch einmal Strg+C beendet sofort.',
    stopped: 'Beendet.',
  },
  en: {
    running: 'is running.',
    address: 'Address',
    setup: 'Set-up',
    setupHint: 'Open this link in a browser and create the first account. It carries the set-up code.',
    data: 'Data',
    stop: 'Stop',
    keys: 'Ctrl+C',
    stopping: 'Running requests are still being answered; Ctrl+C once more stops at once.',
    stopped: 'Stopped.',
  },
} as const

export type Terminal = ReturnType<typeof createTerminal>

/** `setupCode`: null once there is an account. */
type Greeting = { name: string; address: string; setupCode: string | null; dataLocation: string }

export function createTerminal(parts: { language: Language; write: (text: string) => void }) {
  const texts = TERMINAL_TEXTS[parts.language]
  const print = (...lines: string[]) => parts.write(`${lines.join('\n')}\n`)
  const row = (name: string, value: string) => `  ${name.padEnd(12)} ${value}`
  return {
    greet({ name, address, setupCode, dataLocation }: Greeting) {
      const setupRows =
        setupCode === null ? [] : [row(texts.setup, setupLink(address, setupCode)), row('', texts.setupHint)]
      print(
        '',
        `  ${name} ${VERSION} ${texts.running}`,
        '',
        row(texts.address, address),
        ...setupRows,
        row(texts.data, dataLocation),
        row(texts.stop, texts.keys),
        '',
      )
    },
    // The output begins with an empty line, because the terminal shows `^C` at the cursor.
    stopping: () => print('', `  ${texts.stopping}`),
    stopped: () => print(`  ${texts.stopped}`),
  }
}
