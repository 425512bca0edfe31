/**
 * A process that uploads a file with tus-js-client: arguments are the file, the address, the token and the
 * path.
 */
import { createReadStream, statSync } from 'node:fs'
import { Upload } from 'tus-js-client'

const [file = '', endpoint = '', token = '', pfad = ''] = process.argv.slice(2)

const upload = new Upload(createReadStream(file), {
  endpoint,
  chunkSize: 64 * 1024 * 1024,
  uploadSize: statSync(file).size,
  // Longer than its default of 9 seconds, in which a killed service may not be back.
  retryDelays: Array.from({ length: 60 }, () => 2000),
  headers: { Authorization: `Bearer ${token}` },
  metadata: { pfad },
  onError(error) {
    console.error(error)
    process.exit(1)
  },
  onSuccess: () => process.exit(0),
})
upload.start()
