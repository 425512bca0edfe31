import { startBunServer } from '../../src/http/server/bun-server.ts'
import { loadSendfile } from '../../src/http/server/sending/sendfile.ts'
import { startServer } from '../../src/http/server/server.ts'
import { httpServerConformance } from './http-server.ts'

const sendfileCalls = loadSendfile({ isAllowed: true, onUnavailable() {} })

/** A check of all connections, which otherwise runs every five seconds, notices clients that have left. */
const checkInterval = 500

httpServerConformance('ours', parts => startServer({ ...parts, sendfileCalls, checkInterval }))
httpServerConformance('ours, without sendfile', parts =>
  startServer({ ...parts, sendfileCalls: null, checkInterval }),
)
httpServerConformance('the runtime’s', startBunServer)
