import sharp from 'sharp'

// One picture at a time per process, and nothing of it remembered for the next.
sharp.cache(false)
sharp.concurrency(1)

// Deny by default: libvips brings more readers than a media host needs, each of them a way in. SVG is read from
// memory only: given a file, its reader follows references to the files beside it.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: [
    'VipsForeignLoadJpegFile',
    'VipsForeignLoadPngFile',
    'VipsForeignLoadPngBuffer',
    'VipsForeignLoadWebpFile',
    'VipsForeignLoadNsgifFile',
    'VipsForeignLoadHeifFile',
    'VipsForeignLoadTiffFile',
    'VipsForeignLoadSvgBuffer',
  ],
})

export { sharp }
