/** The script of a page that uploads with Uppy. `uploadWithUppy` resolves to what Uppy reports of the file. */
import Uppy from '@uppy/core'
import Tus from '@uppy/tus'

globalThis.uploadWithUppy = async ({ endpoint, headers, path }) => {
  const uppy = new Uppy().use(Tus, {
    ...{ endpoint, headers },
    chunkSize: 64 * 1024 * 1024,
    allowedMetaFields: ['pfad'],
    // More patience than its default of 9 seconds, in which a killed service may not be back.
    retryDelays: Array.from({ length: 60 }, () => 2000),
  })
  const [data] = document.querySelector('input').files
  uppy.addFile({ name: data.name, type: data.type, data, meta: { pfad: path } })
  const { successful, failed } = await uppy.upload()
  uppy.destroy()
  return { successful: successful.length, failed: failed.map(({ error }) => error) }
}
