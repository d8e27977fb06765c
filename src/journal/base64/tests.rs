use super::{Base64Decoder, Units};
use crate::journal::chunkings::chunkings;
use crate::journal::{JournalError, space::is_js_space};
use base64::Engine;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use proptest::prelude::*;

type Expected = (&'static [&'static [u8]], Result<(), JournalError>);

/// Decodes a stream of chunks, each in windows of `window` units.
fn decode(chunks: &[Vec<u16>], window: usize) -> (Vec<Vec<u8>>, Result<(), JournalError>) {
    let mut decoder = Base64Decoder::new();
    let mut outputs = Vec::new();
    for chunk in chunks {
        chunk
            .chunks(window)
            .for_each(|part| decoder.check(Units::Utf16(part)));
        let expected = match decoder.accept() {
            Ok(bytes) => bytes,
            Err(error) => return (outputs, Err(error)),
        };
        let mut out = Vec::new();
        for part in chunk.chunks(window) {
            decoder.decode(Units::Utf16(part), &mut out).unwrap();
        }
        assert_eq!(out.len() as u64, expected);
        outputs.push(out);
    }
    (outputs, decoder.finish())
}

/// The obvious way: a string that waits, and a general decoder for what each chunk completes. It
/// tells no places.
fn oracle(chunks: &[Vec<u16>]) -> (Vec<Vec<u8>>, Result<(), usize>) {
    const FORGIVING: GeneralPurpose = GeneralPurpose::new(
        &base64::alphabet::STANDARD,
        GeneralPurposeConfig::new()
            .with_decode_allow_trailing_bits(true)
            .with_decode_padding_mode(DecodePaddingMode::RequireCanonical),
    );
    let mut waiting: Vec<u16> = Vec::new();
    let mut outputs = Vec::new();
    for chunk in chunks {
        waiting.extend(chunk.iter().filter(|&&unit| !is_js_space(unit)));
        let rest = waiting.split_off(waiting.len() & !3);
        let unit: Vec<u8> = std::mem::replace(&mut waiting, rest)
            .into_iter()
            .map(|unit| u8::try_from(unit).unwrap_or(b'!'))
            .collect();
        match FORGIVING.decode(&unit) {
            Ok(bytes) => outputs.push(bytes),
            Err(_) => return (outputs, Err(0)),
        }
    }
    match waiting.len() {
        0 => (outputs, Ok(())),
        pending => (outputs, Err(pending)),
    }
}

fn utf16(text: &str) -> Vec<u16> {
    text.encode_utf16().collect()
}

fn texts(chunks: &[&str]) -> Vec<Vec<u16>> {
    chunks.iter().copied().map(utf16).collect()
}

fn agrees(chunks: &[Vec<u16>]) {
    let (expected, end) = oracle(chunks);
    for window in [1, 2, 3, 5, 76, 77, 1 << 20] {
        let (outputs, result) = decode(chunks, window);
        assert_eq!(outputs, expected, "{chunks:?} by {window}");
        match (end, result) {
            (Ok(()), Ok(()))
            | (
                Err(0),
                Err(JournalError::InvalidCharacter { .. } | JournalError::MisplacedPadding { .. }),
            ) => {}
            (Err(expected), Err(JournalError::MidQuantum { pending })) => {
                assert_eq!(pending, expected);
            }
            other => panic!("{chunks:?}: {other:?}"),
        }
    }
}

#[test]
fn case_5_padding_ends_a_unit_and_units_are_independent() {
    let invalid = |index| Err(JournalError::MisplacedPadding { index });
    let cases: [(&[&str], Expected); 8] = [
        (&["QQ==Qg=="], (&[], invalid(2))),
        (&["QQ==", "Qg=="], (&[b"A", b"B"], Ok(()))),
        (&["QQ=", "=Qg=="], (&[b""], invalid(2))),
        (&["===="], (&[], invalid(0))),
        (&["A==="], (&[], invalid(1))),
        (
            &["QUJDQUJ"],
            (&[b"ABC"], Err(JournalError::MidQuantum { pending: 3 })),
        ),
        (&["QR=="], (&[b"A"], Ok(()))),
        (&["QQ==Q", "g=="], (&[b"A", b"B"], Ok(()))),
    ];
    for (chunks, (outputs, result)) in cases {
        let (found, end) = decode(&texts(chunks), 4096);
        assert_eq!(
            (found, end),
            (outputs.iter().map(|o| o.to_vec()).collect(), result)
        );
    }
}

#[test]
fn case_6_white_space_is_what_javascript_says() {
    let (outputs, end) = decode(&texts(&["Q\u{FEFF}U\u{A0}\u{2028}JD \t\r\n"]), 3);
    assert_eq!((outputs, end), (vec![b"ABC".to_vec()], Ok(())));
    let (_, end) = decode(&texts(&["QQ", "\u{85}=="]), 3);
    assert_eq!(
        end,
        Err(JournalError::InvalidCharacter {
            unit: 0x85,
            index: 2
        })
    );
}

#[test]
fn a_wide_character_is_not_its_low_byte() {
    let (outputs, end) = decode(&texts(&["QUI\u{144}"]), 8);
    assert_eq!(
        (outputs, end),
        (
            vec![],
            Err(JournalError::InvalidCharacter {
                unit: 0x144,
                index: 3
            })
        )
    );
}

#[test]
fn a_bad_character_that_waits_is_judged_with_its_group() {
    let (outputs, end) = decode(&texts(&["QUJD!", " ", "QUJD"]), 8);
    assert_eq!(outputs, [b"ABC".to_vec(), vec![]]);
    assert_eq!(
        end,
        Err(JournalError::InvalidCharacter {
            unit: 0x21,
            index: 4
        })
    );
    let (_, end) = decode(&texts(&["QUJD!"]), 8);
    assert_eq!(end, Err(JournalError::MidQuantum { pending: 1 }));
}

#[test]
fn a_refused_chunk_leaves_the_decoder_as_it_was() {
    let mut decoder = Base64Decoder::new();
    let mut out = Vec::new();
    decoder
        .decode_chunk(Units::Latin1(b"QU"), &mut out)
        .unwrap();
    let refused = decoder.decode_chunk(Units::Latin1(b"J!D"), &mut out);
    assert_eq!(
        refused,
        Err(JournalError::InvalidCharacter {
            unit: 0x21,
            index: 3
        })
    );
    decoder
        .decode_chunk(Units::Latin1(b"JD"), &mut out)
        .unwrap();
    assert_eq!(
        (out.as_slice(), decoder.finish()),
        (b"ABC".as_slice(), Ok(()))
    );
}

#[test]
fn windows_other_than_the_checked_ones_are_an_error() {
    let mut decoder = Base64Decoder::new();
    decoder.check(Units::Latin1(b"QUJD"));
    decoder.accept().unwrap();
    let result = decoder.decode(Units::Latin1(b"Q!JD"), &mut Vec::new());
    assert!(matches!(result, Err(JournalError::InvalidCharacter { .. })));
}

#[test]
fn rows_of_every_width_and_ending() {
    let data: Vec<u8> = (0..4000u32).map(|n| (n * 7 % 251) as u8).collect();
    let text = base64::prelude::BASE64_STANDARD.encode(&data);
    for width in [1, 3, 4, 64, 75, 76, 77, 1000] {
        for ending in ["\n", "\r\n", " \n", "\u{2028}"] {
            let rows: Vec<&str> = text
                .as_bytes()
                .chunks(width)
                .map(|row| std::str::from_utf8(row).unwrap())
                .collect();
            let wrapped = utf16(&(rows.join(ending) + ending));
            for window in [50, 77, 1024, 100_000] {
                let (outputs, end) = decode(std::slice::from_ref(&wrapped), window);
                assert_eq!((outputs.concat(), end), (data.clone(), Ok(())));
            }
        }
    }
}

proptest! {
    #[test]
    fn equals_the_oracle_on_garbage_in_chunks(
        chunks in prop::collection::vec("[A-Da-d0-9+/=\\s!\u{FEFF}\u{85}\u{141}]{0,12}", 0..6),
    ) {
        agrees(&chunks.iter().map(|chunk| utf16(chunk)).collect::<Vec<_>>());
    }

    #[test]
    fn decodes_what_was_encoded_in_every_chunking(
        data in prop::collection::vec(any::<u8>(), 0..120),
        width in 1usize..30,
    ) {
        let text: String = base64::prelude::BASE64_STANDARD.encode(&data);
        let wrapped: Vec<u16> = text
            .encode_utf16()
            .enumerate()
            .flat_map(|(at, unit)| {
                let row_ends = (at + 1).is_multiple_of(width);
                std::iter::once(unit).chain(row_ends.then_some(0x0A))
            })
            .collect();
        for chunks in chunkings(&wrapped) {
            let (outputs, end) = decode(&chunks, 16);
            prop_assert_eq!((outputs.concat(), end), (data.clone(), Ok(())));
        }
    }
}
