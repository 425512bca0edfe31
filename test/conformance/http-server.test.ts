import { startBunServer } from '../../src/http/server/bun-server.ts'
import { openKernel } from '../../src/http/server/sending/kernel.ts'
import { startServer } from '../../src/http/server/server.ts'
import { httpServerConformance } from './http-server.ts'

const kernel = openKernel({ isWanted: true, onPieces() {} })

/** A check of all connections, which otherwise runs every five seconds, notices clients that have left. */
const checkInterval = 500

httpServerConformance('ours', parts => startServer({ ...parts, kernel, checkInterval }))
httpServerConformance('ours, without sendfile', parts =>
  startServer({ ...parts, kernel: null, checkInterval }),
)
httpServerConformance('the runtime’s', startBunServer)
