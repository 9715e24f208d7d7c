// A page that `scamp watch` makes anew looks every second whether it was. A page in a file may load no data and run no
// script but its own; it may load a picture: an empty one beside it, whose width is the number of the page's edition.

const every = 1000

/** Begins to look, if this page is being watched. */
export function watch(): void {
  const { edition, picture } = document.documentElement.dataset
  if (edition === undefined || picture === undefined) return
  const look = () => {
    const image = new Image()
    image.addEventListener('load', () => {
      if (image.naturalWidth !== Number(edition)) location.reload()
    })
    image.src = `${picture}?${Date.now()}`
  }
  setInterval(look, every)
}
