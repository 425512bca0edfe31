/** tuspy, a Python client for resumable uploads. */

const PLACES = ['/usr/lib/python3/dist-packages/tusclient/client.py']

export const findTuspy = () => PLACES.find(place => Bun.file(place).size > 0) ?? null
