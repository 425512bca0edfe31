/** Two workers beside one, and beside nginx with two: the servers and the load share two cores. */
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { type Case, HEAD, KB } from './cases.ts'
import { type Place, startNginx } from './contestants.ts'
import { asFile, byUpload, fileSet, mustBeEqual, place, writeTargets } from './files.ts'
import { BOTH_CORES } from './machine.ts'
import { type Server, startFundus } from './server.ts'
import { runWrk } from './wrk.ts'

const ONE = 'one worker'
const BARS = { nginx: 0.75, [ONE]: 1.6 }

/** The servers are to be stopped by the caller. */
export async function startWorkers(given: Place): Promise<{ servers: Server[]; cases: Case[] }> {
  const { line } = given
  const folder = await mkdtemp(join(given.folder, 'workers-'))
  const servers: Server[] = []
  try {
    servers.push(await startFundus(folder, line, { cores: BOTH_CORES, workers: 2 }))
    servers.push({ ...(await startFundus(folder, line, { cores: BOTH_CORES, workers: 1 })), name: ONE })
    servers.push(await startNginx({ ...given, folder, cores: BOTH_CORES, workers: 2 }))
    const files = fileSet('10k', 10 * KB, 200)
    await place(files, [...servers.slice(0, 2).map(byUpload), asFile(join(folder, 'root'))])
    await mustBeEqual(files, servers)
    const targets = await writeTargets(join(folder, 'targets.txt'), files, servers[0]!, 'whole')
    const expected = { bytes: [files.size, files.size + HEAD] as const, cores: BOTH_CORES }
    const run: Case['run'] = ({ port }, seconds) => runWrk(line, port, targets, seconds, expected)
    return { servers, cases: [{ name: 'WORKERS=2, GET 10 KB, 200 files', bars: BARS, run }] }
  } catch (error) {
    await Promise.all(servers.map(server => server.stop()))
    throw error
  }
}
