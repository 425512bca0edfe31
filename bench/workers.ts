/** Two workers beside one, and beside nginx with two: the servers and the load share two cores. */
import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Case, HEAD, KB } from './cases.ts'
import { type Place, startNginx } from './contestants.ts'
import { asFile, byUpload, type FileSet, fileSet, mustBeEqual, place, writeTargets } from './files.ts'
import { BOTH_CORES } from './machine.ts'
import { type Server, startFundus } from './server.ts'
import { runWrk } from './wrk.ts'

const ONE = 'one worker'
/** Least and most bytes of the answer whether a file is there. */
const PRESENCE = [100, 1500] as const

/** One comparison, and between whom. */
interface Match {
  case: Case
  servers: Server[]
}

/** All `servers` are to be stopped by the caller. */
export async function startWorkers(given: Place): Promise<{ servers: Server[]; matches: Match[] }> {
  const { line } = given
  const folder = await mkdtemp(join(given.folder, 'workers-'))
  const servers: Server[] = []
  try {
    servers.push(await startFundus(folder, line, { cores: BOTH_CORES, workers: 2 }))
    servers.push({ ...(await startFundus(folder, line, { cores: BOTH_CORES, workers: 1 })), name: ONE })
    servers.push(await startNginx({ ...given, folder, cores: BOTH_CORES, workers: 2 }))
    const ours = servers.slice(0, 2)
    const files = fileSet('10k', 10 * KB, 200)
    await place(files, [...ours.map(byUpload), asFile(join(folder, 'root'))])
    await mustBeEqual(files, servers)
    const wholes = await writeTargets(join(folder, 'targets.txt'), files, servers[0]!, 'whole')
    const whole = [files.size, files.size + HEAD] as const
    const reads: Case = {
      name: 'WORKERS=2, GET 10 KB, 200 files',
      bars: { nginx: 0.75 },
      run: ({ port }, seconds) => runWrk(line, port, wholes, seconds, { bytes: whole, cores: BOTH_CORES }),
    }
    // A read costs the load as much as the server, so that a second worker has no core to itself. This costs
    // the load little.
    const questions = new Map<Server, string>()
    for (const server of ours) questions.set(server, await writeQuestions(folder, files, server))
    const asks: Case = {
      name: 'WORKERS=2, whether a file is there',
      bars: { [ONE]: 1.6 },
      // A runtime compiles a way only after thousands of requests, and each worker for itself.
      warmUp: 6,
      run: (server, seconds) =>
        runWrk(line, server.port, questions.get(server)!, seconds, { bytes: PRESENCE, cores: BOTH_CORES }),
    }
    return {
      servers,
      matches: [
        { case: reads, servers },
        { case: asks, servers: ours },
      ],
    }
  } catch (error) {
    await Promise.all(servers.map(server => server.stop()))
    throw error
  }
}

/** What a client asks before it uploads, for load.lua. */
async function writeQuestions(folder: string, { paths }: FileSet, server: Server): Promise<string> {
  const file = join(folder, `questions-${server.port}.txt`)
  const lines = paths.map(path => {
    const { authorization } = server.upload(path).headers
    return `/api/exists?pfad=${path}\tAuthorization: ${authorization}\n`
  })
  await writeFile(file, lines.join(''))
  return file
}
