import { startBunServer } from '../../src/http/server/bun-server.ts'
import { openKernel } from '../../src/http/server/sending/kernel.ts'
import { startServer } from '../../src/http/server/server.ts'
import { httpServerConformance } from './http-server.ts'

const kernel = openKernel({ isWanted: true, onPieces() {} })

httpServerConformance('ours', parts => startServer({ ...parts, kernel }))
httpServerConformance('ours, without sendfile', parts => startServer({ ...parts, kernel: null }))
httpServerConformance('the runtime’s', startBunServer)
