/**
 * The state of a request that a form or a button sends, like that of `useMutation`, but without TanStack
 * Query.
 */
import { useRef, useState } from 'react'

interface Sending<Answer, Given> {
  isPending: boolean
  isSuccess: boolean
  error: Error | null
  data?: Answer
  /** The argument of the last call of `start`. */
  given?: Given
}

const IDLE_STATE = { isPending: false, isSuccess: false, error: null }

export function useSending<Answer, Given = void>(
  send: (given: Given) => Promise<Answer>,
  onSent?: (answer: Answer) => unknown,
) {
  const [state, setState] = useState<Sending<Answer, Given>>(IDLE_STATE)
  // Only the state of the last request is shown; an earlier one may end after it.
  const lastId = useRef(0)
  const show = (id: number, next: Sending<Answer, Given>) => id === lastId.current && setState(next)
  return {
    ...state,
    async start(given: Given) {
      const id = ++lastId.current
      show(id, { ...IDLE_STATE, isPending: true, given })
      try {
        const data = await send(given)
        await onSent?.(data)
        show(id, { ...IDLE_STATE, isSuccess: true, data, given })
      } catch (error) {
        show(id, { ...IDLE_STATE, error: error as Error, given })
      }
    },
    reset: () => show(++lastId.current, IDLE_STATE),
  }
}
