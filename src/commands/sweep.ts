import { parseArgs } from 'node:util'
import { SWEEP_AGE, sweep as sweepStore } from '../features/media/sweep.ts'
import { openHouse } from '../house.ts'
import { type Command, UsageError } from './command.ts'

export const sweep: Command = {
  name: 'sweep',
  summary: 'entfernt Objekte, auf die nichts mehr zeigt',
  help: `fundus sweep [--older-than <Sekunden>]

  Vergleicht Ablage und Datenbank. Objekte, auf die keine Zeile zeigt, werden entfernt; Dateien, deren Objekt fehlt,
  werden genannt. Die Ausgabe ist JSON: {"removed": [Objekte], "missing": [Pfade]}.

  --older-than <Sekunden>  nur, was so alt ist (${SWEEP_AGE / 1000}). Weniger ist nur bei beendetem Dienst sicher.`,

  async run({ config, args, print }) {
    const olderThan = Number(options(args)['older-than'] ?? SWEEP_AGE / 1000) * 1000
    if (!(olderThan >= 0)) throw new UsageError('--older-than muss eine Zahl von Sekunden sein.')
    const { database, storage } = await openHouse(config)
    try {
      print(JSON.stringify(await sweepStore({ database, storage, now: Date.now }, olderThan)))
    } finally {
      await database.close()
    }
  },
}

function options(args: string[]) {
  try {
    return parseArgs({ args, options: { 'older-than': { type: 'string' } } }).values
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}
