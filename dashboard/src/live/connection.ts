/** Whether the service can be reached, as the last attempt showed. Requests and the event stream report here. */
import { createObservable } from '../hooks/observable.ts'

export const connectionLost = createObservable(false)
export const markLost = () => connectionLost.set(true)
export const markOnline = () => connectionLost.set(false)
