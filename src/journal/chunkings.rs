//! The cuts that every stream test goes through.

/// `input` whole, in pieces of 1, 2, 3, 7 and 64, with empty pieces between, and in two at each
/// of its first places.
pub fn chunkings<T: Clone>(input: &[T]) -> Vec<Vec<Vec<T>>> {
    let pieces = |size: usize| input.chunks(size).map(<[T]>::to_vec).collect::<Vec<_>>();
    let mut all = vec![vec![input.to_vec()]];
    all.extend([1, 2, 3, 7, 64].map(pieces));
    all.push(
        input
            .chunks(2)
            .flat_map(|piece| [Vec::new(), piece.to_vec(), Vec::new()])
            .collect(),
    );
    all.extend((0..=input.len().min(40)).map(|at| {
        let (head, tail) = input.split_at(at);
        vec![head.to_vec(), tail.to_vec()]
    }));
    all
}
