import { join } from 'node:path'
import { type FileSet, fileSet, mustBeEqual, place, writeTargets } from './files.ts'
import type { Server } from './server.ts'
import { runUpload } from './upload.ts'
import { type Run, runWrk } from './wrk.ts'

export interface Case {
  name: string
  /** Least ratio Fundus/nginx; without one the case is for information. */
  bar?: number
  run(server: Server, seconds: number): Promise<Run>
}

export const KB = 1024
export const MB = 1024 * 1024
/** A 304 is a head alone; anything longer has sent the file. */
const HEAD_ONLY = [50, 900] as const
/** A head is shorter than this; it comes on top of the body. */
const HEAD = 1500

export interface CaseOptions {
  fundus: Server
  nginx: Server
  nginxRoot: string
  folder: string
  quick: boolean
}

/** Puts the files in place on both and answers the cases to run over them. */
export async function prepareCases({
  fundus,
  nginx,
  nginxRoot,
  folder,
  quick,
}: CaseOptions): Promise<Case[]> {
  const small = fileSet('10k', 10 * KB, 200)
  const middle = fileSet('100k', 100 * KB, 200)
  const large = fileSet('1m', MB, 200)
  // 200 MB in small files: more than a cache in memory would reasonably hold.
  const many = fileSet('many', 10 * KB, quick ? 2_000 : 20_000)
  for (const set of [small, middle, large, many]) {
    await place(set, fundus, nginxRoot)
    await mustBeEqual(set, [fundus, nginx])
  }

  const get = async (
    name: string,
    set: FileSet,
    count: number,
    bar?: number,
    conditional = false,
  ): Promise<Case> => {
    const paths = set.paths.slice(0, count)
    const list = (server: Server) =>
      writeTargets(
        join(folder, `${server.name}-${name.replace(/\W+/g, '-')}.txt`),
        paths,
        server,
        conditional,
      )
    const targets = new Map([
      [fundus, await list(fundus)],
      [nginx, await list(nginx)],
    ])
    const bytes = conditional ? HEAD_ONLY : ([set.size, set.size + HEAD] as const)
    return {
      name,
      ...(bar !== undefined && { bar }),
      run: (server, seconds) => runWrk(server.port, targets.get(server)!, seconds, { bytes }),
    }
  }

  let uploadRun = 0
  const put = (name: string, size: number, parallel: number, paths: number): Case => ({
    name,
    run: (server, seconds) => {
      // New paths in every run; within one they begin again only where the disk would fill up otherwise.
      const plan = { name: `load/${uploadRun++}`, size, parallel, seconds, uploads: 1_000_000, paths }
      return runUpload(server, plan)
    },
  })

  return [
    await get('GET 10 KB, 200 files', small, 200, 0.5),
    await get('GET 10 KB, one file', small, 1),
    await get(`GET 10 KB, ${many.paths.length} files`, many, many.paths.length),
    await get('GET 100 KB, 200 files', middle, 200),
    await get('GET 1 MB, 200 files', large, 200, 0.9),
    await get('GET 1 MB, one file', large, 1),
    await get('304, 10 KB, 200 files', small, 200, undefined, true),
    put('upload 10 KB, 8 parallel', 10 * KB, 8, 1_000_000),
    put('upload 10 MB, 4 parallel', 10 * MB, 4, 4),
  ]
}
