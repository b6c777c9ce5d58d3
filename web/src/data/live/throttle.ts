/** Calls at once, then at most once per interval, with a trailing call. */
export function throttle(work: () => void, intervalMs: number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isDue = false

  return function call() {
    if (timer !== undefined) {
      isDue = true
      return
    }
    work()
    timer = setTimeout(() => {
      timer = undefined
      if (isDue) call()
      isDue = false
    }, intervalMs)
  }
}
